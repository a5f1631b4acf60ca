# Summarizes a field of the runs of a method on tasks, or with --arg minus OTHER the differences from another method's runs
# with the same task, instance and seed:
#
#   jq -s --arg task pdop,zale --arg method cobo+invbo --arg minus cobo --arg field best_score -f bench/summary.jq bench/results/molecules.jsonl
#
# --arg below 10 leaves out seeds from 10 on. --arg rate 0.001 takes the runs of METHOD with this rate of updates, and
# --arg minus_rate 0.0001 those of OTHER: a file may have several. --arg loss focal takes the runs with that inversion loss
# instead of those with the default, and --arg instances FILE those on the Ehrlich functions of that file.

def runs($method; $rate):
  [.[] | select((.spec.task | IN($task | splits(","))) and .spec.method == $method
                and (.spec.inversion.loss // "cross-entropy") == ($ARGS.named.loss // "cross-entropy")
                and (.spec.instances.name // "") == ($ARGS.named.instances // "")
                and .spec.seed < (($ARGS.named.below // "1e9") | tonumber)
                and ($rate == null or .spec.update_rate == ($rate | tonumber)))
       | {("\(.spec.task) \(.spec.instance // 0) \(.spec.seed)"): .result[$field]}] | add // error("no runs of \($method) on \($task)");

runs($method; $ARGS.named.rate) as $a
| (if $ARGS.named.minus then runs($ARGS.named.minus; $ARGS.named.minus_rate) else ($a | map_values(0)) end) as $b
| [$a | to_entries[] | select($b[.key] != null) | .value - $b[.key]] | sort
| length as $n | (add / $n) as $mean
| {n: $n, min: .[0], median: ((.[($n - 1) / 2 | floor] + .[$n / 2 | floor]) / 2), max: .[-1], mean: $mean,
   standard_error: (if $n > 1 then (map((. - $mean) * (. - $mean)) | add / ($n - 1) / $n | sqrt) else null end)}
