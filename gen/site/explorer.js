// Draws configurations over two figures that the reader chooses, and says of each what it is and how it is called.
"use strict";
const width = 360, height = 300, edge = {left: 58, right: 14, top: 36, bottom: 40};
const colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
const axes = ["tags", "index", "bypass", "bytes"];
const figures = [...new Set(configurations.flatMap(c => Object.keys(c.figures)))];
const kinds = [...new Set(configurations.map(c => c.tags))];
const choice = {};

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function drawn(tag, attributes, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

function select(parent, name, label, values, first) {
  const made = element("select", {id: name}, ...values.map(v => element("option", {value: v}, String(v))));
  made.value = first;
  made.addEventListener("change", draw);
  choice[name] = made;
  document.getElementById(parent).append(element("label", {}, label + " ", made));
}

function figure_text(value) {
  return value >= 1000 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(4)));
}

function short_text(value) {
  const unit = value >= 1e6 ? [1e6, " M"] : value >= 1e4 ? [1e3, " k"] : [1, ""];
  return Number((value / unit[0]).toPrecision(3)) + unit[1];
}

// Rounded steps that hold all values.
function scale(values, from, to) {
  const low = Math.min(...values), high = Math.max(...values), span = high - low || Math.abs(high) || 1;
  const raw = span / 3, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(n => n * power).find(s => s >= raw);
  const begin = Math.floor(low / step) * step, end = Math.max(Math.ceil(high / step) * step, begin + step);
  const marks = [];
  for (let n = 0; begin + n * step <= end + step / 2; ++n) marks.push(begin + n * step);
  return {at: value => from + (value - begin) / (end - begin) * (to - from), marks};
}

function tell(c) {
  const about = document.getElementById("about");
  about.replaceChildren(
    element("p", {}, `${c.tags}, index ${c.index}, bypass ${c.bypass}, ${c.bytes} bytes, ${c.ways} ways: ` +
      Object.entries(c.figures).map(([name, value]) => `${name} ${figure_text(value)}`).join("; ")),
    element("pre", {}, element("code", {}, c.command)),
    element("p", {}, element("a", {href: c.from}, "Where the figures are from")));
}

function draw() {
  const x_name = choice.x.value, y_name = choice.y.value;
  const shown = configurations.filter(c => x_name in c.figures && y_name in c.figures &&
    axes.every(axis => choice[axis].value === "all" || String(c[axis]) === choice[axis].value));
  document.getElementById("count").textContent =
    `${shown.length} of ${configurations.length} configurations have both figures and pass the filters.`;
  const svg = drawn("svg", {id: "chart", viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `${y_name} over ${x_name}`});
  svg.append(drawn("text", {x: 4, y: 14}, y_name));
  svg.append(drawn("text", {x: width - 4, y: height - 4, "text-anchor": "end"}, x_name));
  if (shown.length) {
    const x = scale(shown.map(c => c.figures[x_name]), edge.left, width - edge.right);
    const y = scale(shown.map(c => c.figures[y_name]), height - edge.bottom, edge.top);
    x.marks.forEach((mark, n) => {
      svg.append(drawn("line", {x1: x.at(mark), x2: x.at(mark), y1: edge.top, y2: height - edge.bottom,
        stroke: "#8886"}));
      const anchor = n + 1 === x.marks.length ? "end" : "middle", moved = n + 1 === x.marks.length ? 10 : 0;
      svg.append(drawn("text", {x: x.at(mark) + moved, y: height - edge.bottom + 17, "text-anchor": anchor},
        short_text(mark)));
    });
    y.marks.forEach(mark => {
      svg.append(drawn("line", {x1: edge.left, x2: width - edge.right, y1: y.at(mark), y2: y.at(mark),
        stroke: "#8886"}));
      svg.append(drawn("text", {x: edge.left - 5, y: y.at(mark) + 4, "text-anchor": "end"}, short_text(mark)));
    });
    for (const c of shown) {
      const mark = drawn("circle", {cx: x.at(c.figures[x_name]), cy: y.at(c.figures[y_name]), r: 5, tabindex: 0,
        fill: colours[kinds.indexOf(c.tags) % colours.length], "fill-opacity": 0.75, stroke: "currentColor",
        "stroke-width": 0.5});
      mark.append(drawn("title", {}, c.command));
      for (const event of ["mouseenter", "focus", "click"]) mark.addEventListener(event, () => tell(c));
      svg.append(mark);
    }
  }
  const legend = element("p", {}, ...kinds.flatMap((kind, n) =>
    [element("span", {style: `color:${colours[n % colours.length]}`, "aria-hidden": "true"}, "\u25cf"),
      ` ${kind.replace("_", " ")}   `]));
  document.getElementById("picture").replaceChildren(legend, svg);
  document.getElementById("about").replaceChildren();
  if (shown.length) tell(shown[0]);
}

select("axes", "x", "across", figures, "bits stored");
select("axes", "y", "up", figures, "miss rate");
for (const axis of axes)
  select("filters", axis, axis, ["all", ...[...new Set(configurations.map(c => c[axis]))].sort((a, b) =>
    typeof a === "number" ? a - b : a < b ? -1 : 1)], "all");
draw();
