# Asks for a string, and tells its score: sh ask.sh http://127.0.0.1:8080/studies/enzyme TOKENFILE
study=$1 auth="Authorization: Bearer $(cat "$2")"
curl -sS --fail-with-body -H "$auth" --json '{"n": 1, "lease": "8h"}' "$study/ask" >asked.json
trial=$(sed 's/.*"trial":\([0-9]*\).*/\1/' asked.json)
curl -sS --fail-with-body -H "$auth" --json "{\"answers\": [{\"trial\": $trial, \"score\": 0.5}]}" "$study/tell"
