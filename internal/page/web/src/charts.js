// Charts of studies, by uPlot, from the numbers that the server sends. A chart is an element .plot; its data-from names the part of the page
// that says where the numbers are, and that the server replaces when they change.
import uPlot from "uplot";

const drawings = new Map(); // of uPlot, by element
const loading = new Map(); // requests that are under way, by the part of the page

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const colours = () => [1, 2, 3, 4, 5, 6, 7].map((i) => css(`--series-${i}`));
const dashes = [[], [6, 3], [2, 2], [8, 3, 2, 3], [], [6, 3], [2, 2]];
const number = (v) => (v == null ? "–" : String(Number(v.toPrecision(4))));

document.addEventListener("DOMContentLoaded", load);
document.addEventListener("htmx:afterSettle", (event) => {
  if (["results", "comparison"].includes(event.detail.elt?.id) || ["results", "comparison"].includes(event.target?.id)) {
    load();
  }
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", load);
document.addEventListener("change", (event) => {
  if (event.target.matches?.("[data-axis], [data-series]")) {
    load();
  }
});

// load gets the numbers of all charts, and draws them.
async function load() {
  const sources = new Map();
  for (const element of document.querySelectorAll(".plot")) {
    const from = document.querySelector(element.dataset.from);
    if (from) {
      sources.set(from.dataset.charts, [...(sources.get(from.dataset.charts) || []), element]);
    }
  }
  for (const [address, elements] of sources) {
    const key = elements[0].dataset.from;
    loading.get(key)?.abort();
    const control = new AbortController();
    loading.set(key, control);
    try {
      const response = await fetch(address, { signal: control.signal });
      if (!response.ok) {
        throw new Error(response.statusText);
      }
      const data = await response.json();
      elements.forEach((element) => draw(element, data));
    } catch (problem) {
      if (problem.name !== "AbortError") {
        elements.forEach((element) => empty(element, "The numbers of this chart could not be loaded."));
      }
    }
  }
}

const kinds = {
  progress: progress,
  predictions: predictions,
  front: front,
  comparison: comparison,
};

function draw(element, data) {
  const chart = kinds[element.dataset.chart](data, element);
  if (!chart) {
    empty(element, "No numbers to show.");
    return;
  }
  drawings.get(element)?.destroy();
  element.replaceChildren();
  const legend = document.createElement("p");
  legend.className = "legend";
  for (const { text, mark } of chart.legend) {
    const entry = document.createElement("span");
    entry.className = "mark-" + mark;
    entry.textContent = text;
    legend.append(entry);
  }
  const plot = new uPlot({ ...frame(element), ...chart.options }, chart.data, element);
  element.append(legend);
  drawings.set(element, plot);
  element.dataset.drawn = chart.data[0].length;
  if (chart.points) {
    pointAt(plot, element, chart.points);
  }
}

function empty(element, text) {
  drawings.get(element)?.destroy();
  drawings.delete(element);
  const note = document.createElement("p");
  note.className = "empty";
  note.textContent = text;
  element.replaceChildren(note);
  element.dataset.drawn = 0;
}

const resized = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const plot = drawings.get(target);
    if (plot && Math.abs(plot.width - target.clientWidth) > 1) {
      plot.setSize({ width: target.clientWidth, height: plot.height });
    }
  }
});

// frame is what all charts have in common.
function frame(element) {
  resized.observe(element);
  return {
    width: element.clientWidth,
    height: element.closest(".big") ? 380 : 250,
    legend: { show: false },
    cursor: { points: { show: false }, drag: { x: true, y: true, setScale: false } },
    padding: [8, 12, 0, 0],
  };
}

// whole are steps between ticks of whole numbers.
const whole = { size: 34, incrs: [0, 1, 2, 3, 4, 5, 6].flatMap((power) => [1, 2, 5].map((m) => m * 10 ** power)) };

function axis(label, more = {}) {
  const line = { stroke: css("--grid"), width: 1 };
  return {
    label, labelSize: 18, labelGap: 0, labelFont: "12px system-ui, sans-serif", font: "11px system-ui, sans-serif",
    stroke: css("--muted"), grid: line, ticks: { ...line, size: 4 }, values: (_, values) => values.map((v) => (v == null ? "" : number(v))), ...more,
  };
}

// widened returns a range with some room around it.
const widened = (_, low, high) => {
  if (low == null || high == null) {
    return [0, 1];
  }
  const room = (high - low || Math.abs(high) || 1) * 0.05;
  return [low - room, high + room];
};

// dots is a series of points without a line.
const dots = (label, colour, { size = 5, filled = true } = {}) => ({
  label, paths: () => null, stroke: colour, points: { show: true, size, width: 1, stroke: colour, fill: filled ? colour : css("--panel") },
});

const selecting = (into) => ({ hooks: { setSelect: [(u) => select(u, into)] } });

// select puts a selected region into fields of the filter: the names of those of x and of y.
function select(u, { x, y }) {
  const { left, top, width, height } = u.select;
  if (width < 3 && height < 3) {
    return;
  }
  const form = document.getElementById("filter");
  const set = (name, value) => {
    const input = form?.elements.namedItem(name);
    if (input) {
      input.value = value;
    }
  };
  const digits = (v) => String(Number(v.toPrecision(5)));
  if (x && width >= 3) {
    const [low, high] = [u.posToVal(left, "x"), u.posToVal(left + width, "x")];
    const whole = x[0] === "from";
    set(x[0], whole ? Math.max(1, Math.ceil(low)) : digits(low));
    set(x[1], whole ? Math.max(1, Math.floor(high)) : digits(high));
  }
  if (y && height >= 3) {
    set(y[0], digits(u.posToVal(top + height, "y")));
    set(y[1], digits(u.posToVal(top, "y")));
  }
  form.requestSubmit();
}

// pointAt shows what is under the pointer, and opens its trial when clicked.
function pointAt(u, element, points) {
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  u.over.append(tip);
  let nearest = null;
  let from = null;
  u.over.addEventListener("mousemove", (event) => {
    const box = u.over.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    let best = 10;
    nearest = null;
    for (const p of points) {
      if (p.x == null || p.y == null) {
        continue;
      }
      const d = Math.hypot(u.valToPos(p.x, "x") - px, u.valToPos(p.y, "y") - py);
      if (d < best) {
        [best, nearest] = [d, p];
      }
    }
    tip.hidden = !nearest;
    u.over.style.cursor = nearest ? "pointer" : "crosshair";
    if (nearest) {
      tip.textContent = nearest.text;
      const right = px > box.width / 2;
      tip.style.left = right ? "" : px + 12 + "px";
      tip.style.right = right ? box.width - px + 12 + "px" : "";
      tip.style.top = Math.max(0, py - 30) + "px";
    }
  });
  u.over.addEventListener("mouseleave", () => (tip.hidden = true));
  u.over.addEventListener("mousedown", (event) => (from = [event.clientX, event.clientY]));
  u.over.addEventListener("mouseup", (event) => {
    if (nearest && from && Math.hypot(event.clientX - from[0], event.clientY - from[1]) < 3) {
      location.assign(location.pathname.split("/").slice(0, 3).join("/") + "/trial/" + nearest.trial);
    }
  });
}

const kindNames = ["initial", "acquired", "recentered", "external"];

// series returns what is drawn of the hypervolume, or of the objective that is chosen, or else of the score.
function series(data, element) {
  const chosen = element.closest("figure").querySelector("[data-series]");
  return data.Several && chosen ? data.Several[Number(chosen.value)] : data;
}

function progress(data, element) {
  const failed = data.Failed;
  const { Progress: p, Best: best, Of: total, Score: label, Fields: fields = ["min", "max"] } = series(data, element);
  if (p.Trial.length === 0 && failed.length === 0) {
    return null;
  }
  const [blue, vermilion, green, purple, orange] = colours();
  const colour = { initial: css("--muted"), acquired: blue, recentered: purple, external: green };
  const there = kindNames.filter((kind) => p.Trial.some((_, i) => p.Kind[i] === kind && !p.Aside?.[i]));
  const of = (wanted) => {
    const at = [[], []];
    p.Trial.forEach((trial, i) => wanted(i) && (at[0].push(trial), at[1].push(p.Y[i])));
    return at;
  };
  const aside = of((i) => p.Aside?.[i]);
  const tables = [...there.map((kind) => of((i) => p.Kind[i] === kind && !p.Aside?.[i])), [best.X || [], best.Y || []], aside].map(distinct);
  const data2 = uPlot.join([...tables, [failed, failed.map(() => null)]]);
  return {
    data: data2.slice(0, there.length + 3),
    points: p.Trial.map((trial, i) => ({ trial, x: trial, y: p.Y[i], text: `trial ${trial}: ${signed(p.Y[i], p.Bound?.[i])}${because(p, i)}` })),
    legend: [
      ...there.map((kind) => ({ text: kind, mark: kind })),
      { text: "best so far", mark: "best" },
      ...asideLegend(p),
      ...boundLegend(p.Bound),
      ...(failed.length ? [{ text: `failed (${failed.length})`, mark: "failed" }] : []),
      ...(p.Trial.length < total ? [{ text: `${p.Trial.length} of ${total} points drawn; the others lie under these`, mark: "note" }] : []),
    ],
    options: {
      scales: { x: { time: false, range: widened }, y: { range: widened } },
      axes: [axis("trial", whole), axis(label, { size: 60 })],
      series: [
        {},
        ...there.map((kind) => dots(kind, colour[kind], { filled: kind !== "initial" })),
        { label: "best so far", stroke: vermilion, width: 2, paths: uPlot.paths.stepped({ align: 1 }), spanGaps: true, points: { show: false } },
        unseen,
      ],
      hooks: {
        ...selecting({ x: ["from", "to"], y: fields.length ? fields : undefined }).hooks,
        draw: [(u) => marks(u, "diamond", ...aside, css("--muted")), (u) => marks(u, "cross", failed, [], orange), (u) => arrows(u, p.Trial, p.Y, [], p.Bound || [], css("--muted"))],
      },
    },
  };
}

// distinct keeps the last value of each x.
function distinct([xs, ys]) {
  const at = new Map(xs.map((x, i) => [x, ys[i]]));
  return [[...at.keys()], [...at.values()]];
}

// because says why a point does not count for the best, behind its numbers.
const because = (p, i) => (p.Aside?.[i] ? "; " + p.Aside[i] : "");

// asideLegend names the classes of what does not count for the best.
function asideLegend(p) {
  const classes = new Set((p.Aside || []).filter((why) => why).map((why) => why.split(":")[0]));
  return classes.size ? [{ text: [...classes].join(", or "), mark: "aside" }] : [];
}

// unseen is a series whose points marks draws; the axes have room for them.
const unseen = { paths: () => null, points: { show: false } };

// shapes are lines through corners, in units of half their size.
const shapes = {
  cross: [[[-1, -1], [1, 1]], [[1, -1], [-1, 1]]],
  diamond: [[[0, -1.4], [1.4, 0], [0, 1.4], [-1.4, 0], [0, -1.4]]],
};

// marks draws shapes at points. One without y, as of a trial without a score, is at the lower edge.
function marks(u, shape, xs, ys, colour) {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = (shape === "cross" ? 1.5 : 1) * devicePixelRatio;
  const size = (shape === "cross" ? 3 : 2.5) * devicePixelRatio;
  xs.forEach((at, i) => {
    const x = u.valToPos(at, "x", true);
    const y = ys[i] == null ? bbox.top + bbox.height - 2 * size : u.valToPos(ys[i], "y", true);
    if (x < bbox.left || x > bbox.left + bbox.width) {
      return;
    }
    ctx.beginPath();
    for (const [first, ...others] of shapes[shape]) {
      ctx.moveTo(x + first[0] * size, y + first[1] * size);
      others.forEach(([right, down]) => ctx.lineTo(x + right * size, y + down * size));
    }
    ctx.stroke();
  });
  ctx.restore();
}

// signed writes a number with the sign of a bound.
const signed = (v, bound) => (bound > 0 ? ">" : bound < 0 ? "<" : "") + number(v);

// boundLegend says what an arrow means, if some of these are bounds.
const boundLegend = (...bounds) => (bounds.some((all) => all?.some((bound) => bound)) ? [{ text: "bound: the true value lies where the arrow points", mark: "bound" }] : []);

// arrows points from bounds to where the true values lie, along x and along y. At the edge of a plot an arrow leads out of it.
function arrows(u, xs, ys, boundsX, boundsY, colour) {
  const { ctx } = u;
  const [length, head] = [11 * devicePixelRatio, 3 * devicePixelRatio];
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.25 * devicePixelRatio;
  ctx.beginPath();
  xs.forEach((at, i) => {
    const [x, y] = [u.valToPos(at, "x", true), u.valToPos(ys[i], "y", true)];
    for (const [right, down] of [[boundsX[i] || 0, 0], [0, -(boundsY[i] || 0)]]) {
      if (!right && !down) {
        continue;
      }
      const [tipX, tipY] = [x + right * length, y + down * length];
      ctx.moveTo(x, y);
      ctx.lineTo(tipX, tipY);
      for (const side of [1, -1]) {
        ctx.moveTo(tipX, tipY);
        ctx.lineTo(tipX - (right + side * down) * head, tipY - (down + side * right) * head);
      }
    }
  });
  ctx.stroke();
  ctx.restore();
}

// sorted returns columns in the order of the first.
function sorted(xs, ...columns) {
  const order = xs.map((_, i) => i).sort((a, b) => xs[a] - xs[b]);
  return [xs, ...columns].map((column) => order.map((i) => column[i]));
}

function predictions(data, element) {
  const { Predictions: p, Score: label, Fields: fields = ["min", "max"] } = series(data, element) ?? {};
  if (!p || p.Trial.length === 0) {
    return null;
  }
  const [x, y, sd, trial, bound] = sorted(p.X, p.Y, p.SD, p.Trial, p.Bound || p.Trial.map(() => 0));
  const blue = colours()[0];
  // Both axes have one range, with the bars in it, so that perfect predictions lie on the diagonal.
  const ends = [...x.map((v, i) => v - (sd[i] || 0)), ...x.map((v, i) => v + (sd[i] || 0)), ...y];
  const [low, high] = [ends.reduce((a, b) => Math.min(a, b)), ends.reduce((a, b) => Math.max(a, b))];
  const range = () => widened(null, low, high);
  return {
    data: [x, y],
    points: trial.map((t, i) => ({ trial: t, x: x[i], y: y[i], text: `trial ${t}: ${signed(y[i], bound[i])}, predicted ${number(x[i])} ± ${number(sd[i])}` })),
    legend: [{ text: "proposal ± predicted sd", mark: "acquired" }, { text: "measured as predicted", mark: "diagonal" }, ...boundLegend(bound)],
    options: {
      scales: { x: { time: false, range }, y: { range } },
      axes: [axis(`predicted ${label}`, { size: 34 }), axis(`measured ${label}`, { size: 60 })],
      series: [{}, dots("proposals", blue)],
      hooks: { ...selecting({ y: fields }).hooks, drawAxes: [(u) => intervals(u, x, y, sd, blue)], draw: [(u) => arrows(u, x, y, [], bound, blue)] },
    },
  };
}

// intervals draws the line of perfect predictions, and predicted deviations as bars.
function intervals(u, xs, ys, sds, colour) {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  const low = Math.max(u.scales.x.min, u.scales.y.min);
  const high = Math.min(u.scales.x.max, u.scales.y.max);
  ctx.strokeStyle = css("--muted");
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(u.valToPos(low, "x", true), u.valToPos(low, "y", true));
  ctx.lineTo(u.valToPos(high, "x", true), u.valToPos(high, "y", true));
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.strokeStyle = colour;
  ctx.globalAlpha = 0.3;
  ctx.beginPath();
  xs.forEach((x, i) => {
    if (sds[i] != null) {
      const y = u.valToPos(ys[i], "y", true);
      ctx.moveTo(u.valToPos(x - sds[i], "x", true), y);
      ctx.lineTo(u.valToPos(x + sds[i], "x", true), y);
    }
  });
  ctx.stroke();
  ctx.restore();
}

function front(data, element) {
  const f = data.Front;
  if (!f || f.Trial.length === 0) {
    return null;
  }
  const chosen = (which) => Number(element.closest("figure").querySelector(`[data-axis=${which}]`).value);
  const [i, j] = [chosen("x"), chosen("y")];
  const [x, y, trial, member, boundX, boundY, aside] = sorted(f.Values[i], f.Values[j], f.Trial, f.Member, f.Bounds[i], f.Bounds[j], f.Aside || f.Trial.map(() => ""));
  const violating = x.map((_, k) => k).filter((k) => aside[k]);
  const [blue] = colours();
  const label = (k) => `${f.Objectives[k]} (${f.Minimize[k] ? "lower" : "higher"} is better)`;
  return {
    data: [x, y.map((v, k) => (member[k] || aside[k] ? null : v)), y.map((v, k) => (member[k] ? v : null)), y.map((v, k) => (aside[k] ? v : null))],
    points: trial.map((t, k) => ({ trial: t, x: x[k], y: y[k], text: `trial ${t}: ` + f.Objectives.map((name, o) => `${name} ${signed(f.Values[o][f.Trial.indexOf(t)], f.Bounds[o][f.Trial.indexOf(t)])}`).join(", ") + because({ Aside: aside }, k) })),
    legend: [{ text: "on the front of the study", mark: "acquired" }, { text: "other trials", mark: "initial" }, ...asideLegend(f), ...boundLegend(boundX, boundY)],
    options: {
      scales: { x: { time: false, range: widened }, y: { range: widened } },
      axes: [axis(label(i), { size: 34 }), axis(label(j), { size: 60 })],
      series: [{}, dots("others", css("--muted"), { filled: false }), dots("front", blue, { size: 8 }), unseen],
      hooks: {
        ...selecting({ x: [`min.${f.Objectives[i]}`, `max.${f.Objectives[i]}`], y: [`min.${f.Objectives[j]}`, `max.${f.Objectives[j]}`] }).hooks,
        draw: [(u) => marks(u, "diamond", violating.map((k) => x[k]), violating.map((k) => y[k]), css("--muted")), (u) => arrows(u, x, y, boundX, boundY, css("--muted"))],
      },
    },
  };
}

function comparison(data) {
  const longest = Math.max(0, ...(data.Mean || []).map((run) => run.length));
  if (longest < 1) {
    return null;
  }
  const calls = Array.from({ length: longest }, (_, i) => i);
  const filled = (run) => calls.map((i) => (i < run.length ? run[i] : null));
  const all = colours();
  const steps = uPlot.paths.stepped({ align: 1 });
  const series = [{}];
  const columns = [calls];
  const bands = [];
  data.Names.forEach((name, g) => {
    const colour = all[g % all.length];
    const mean = filled(data.Mean[g]);
    const error = filled(data.Error[g]);
    const edge = (sign) => mean.map((m, i) => (m == null || error[i] == null ? null : m + sign * error[i]));
    const at = columns.length;
    columns.push(mean, edge(1), edge(-1));
    series.push({ label: name, stroke: colour, width: 2, dash: dashes[g % dashes.length], paths: steps, points: { show: longest === 1 } });
    series.push(...[1, -1].map(() => ({ label: name, width: 0, paths: steps, points: { show: false } })));
    bands.push({ series: [at + 1, at + 2], fill: colour + "33" });
  });
  return {
    data: columns,
    legend: [],
    options: {
      scales: { x: { time: false }, y: { range: widened } },
      axes: [axis("calls", whole), axis("best score, or hypervolume", { size: 60 })],
      series,
      bands,
      cursor: { points: { show: false }, drag: { x: true, y: false } },
    },
  };
}
