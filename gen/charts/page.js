// Draws the charts of a page with Vega-Lite, as wide as their columns, links them with the tables, and sorts tables.
"use strict";
const page = (() => {
  const views = new Map();   // of each plot that is drawn
  const chosen = new Set();  // names of configurations
  const letter = 6.6;        // of a label, in pixels

  // The words of a label by lines of at most so many letters; long words are broken.
  function lines_of(text, letters) {
    const some = `.{1,${letters}}`;
    return String(text).match(new RegExp(`${some}(?: +|$)|${some}[,./_-]|${some}`, "g")) || [""];
  }

  // The letters of the words with which all of several begin.
  function common_words(texts) {
    if (texts.length < 2) return 0;
    let common = texts[0].length;
    for (const text of texts)
      while (!text.startsWith(texts[0].slice(0, common))) --common;
    return texts[0].lastIndexOf(" ", common - 1) + 1;
  }

  // Rows are as high as their labels, which take at most two fifths of the width.
  function fit_labels(spec, width) {
    const params = spec.params || [], letters = params.find(p => p.name === "letters");
    if (!letters) return;
    letters.value = Math.max(12, Math.min(44, Math.floor(0.4 * width / letter)));
    if (!spec.usermeta?.label) return;
    const labels = [...new Set((spec.data.values || []).map(row => String(row[spec.usermeta.label])))];
    const skip = params.find(p => p.name === "skip");
    skip.value = common_words(labels);
    const rows = labels.map(label => lines_of(label.slice(skip.value), letters.value).length);
    const step = Math.max(spec.usermeta.step || 18, 4 + 12 * Math.max(1, ...rows));
    for (const one of all_of(spec)) if (one.height && one.height.step) one.height = {step};
  }

  function all_of(spec) {
    return [spec, ...(spec.vconcat || []).flatMap(all_of), ...(spec.spec ? all_of(spec.spec) : [])];
  }

  function set_width(spec, width) {
    for (const one of all_of(spec))
      if (!one.vconcat && !one.spec) one.width = Math.max(60, Math.floor(width / (spec.columns || 1)));
  }

  // Drawn again until what stands beside the plot itself leaves the right width for it.
  async function draw(plot, spec) {
    const available = plot.clientWidth;
    if (!available || !window.vegaEmbed) return;
    spec = structuredClone(spec);
    fit_labels(spec, available);
    const signal = (spec.params || []).find(p => p.name === "chosen");
    if (signal) signal.value = [...chosen];
    const most = spec.usermeta && spec.usermeta.width || Infinity;
    let width = Math.min(available - 100, most);
    const warn = console.warn;
    console.warn = () => {};  // Vega-Lite warns of facets with scales of their own, which are meant so
    for (let round = 0; round < 4; ++round) {
      set_width(spec, width);
      const done = await vegaEmbed(plot, spec, {actions: false, renderer: "svg", logLevel: 1,
        tooltip: {theme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"}});
      if (views.has(plot)) views.get(plot).finalize();
      views.set(plot, done.view);
      const over = Number(plot.querySelector("svg").getAttribute("width")) - available;
      if (over <= 0 && (over > -12 || width >= most)) break;
      width = Math.min(width - over - 1, most);
    }
    console.warn = warn;
    views.get(plot).addEventListener("click", (event, item) => {
      const name = item && item.datum && item.datum.configuration;
      if (name) choose(name);
    });
  }

  // Marks of configurations that are not chosen fade, their rows in tables are marked; a second choice ends it.
  function choose(name) {
    if (!chosen.delete(name)) chosen.add(name);
    for (const view of views.values())
      try { view.signal("chosen", [...chosen]).runAsync(); } catch (none) { /* a chart of no configurations */ }
    for (const row of document.querySelectorAll("tr[data-configuration]"))
      row.classList.toggle("chosen", chosen.has(row.dataset.configuration));
    for (const listener of listeners) listener([...chosen]);
  }
  const listeners = [];

  const number_in = text => Number(text.replace(/,/g, "").match(/^[-+]?[0-9.]+(e[-+]?[0-9]+)?/i)?.[0] ?? NaN);

  // By the column's numbers where all begin with one, else by its words.
  function sort(table, column) {
    const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
    const texts = rows.map(row => row.cells[column].textContent.trim());
    const numbers = texts.map(number_in), numeric = numbers.every((n, i) => !isNaN(n) || texts[i] === "-");
    const down = heads[column].getAttribute("aria-sort") === "ascending", sign = down ? -1 : 1;
    const last = numeric ? i => isNaN(numbers[i]) : () => false;
    const order = rows.map((_, i) => i).sort((a, b) => last(a) - last(b) || sign * (numeric ?
      (numbers[a] || 0) - (numbers[b] || 0) : texts[a].localeCompare(texts[b], "en", {numeric: true})) || a - b);
    body.append(...order.map(i => rows[i]));
    for (const head of heads) head.removeAttribute("aria-sort");
    heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
  }

  function prepare_tables() {
    for (const table of document.querySelectorAll("table")) {
      if (!table.tHead || !table.tBodies[0] || table.tBodies[0].rows.length < 2) continue;
      [...table.tHead.rows[0].cells].forEach((head, column) => {
        const button = document.createElement("button");
        button.append(...head.childNodes);
        button.addEventListener("click", () => sort(table, column));
        head.append(button);
      });
      table.classList.add("sortable");
      for (const row of table.tBodies[0].rows)
        if (row.dataset.configuration) row.addEventListener("click", () => choose(row.dataset.configuration));
    }
  }

  // Rows of other configurations leave the tables.
  function show_only(names) {
    for (const row of document.querySelectorAll("tr[data-configuration]"))
      row.hidden = !names.has(row.dataset.configuration);
  }

  const components = [];  // each prepares its place when the page is there, and returns what draws it
  const charts = [];      // each draws itself rehashed
  let width = 0;
  async function draw_all() {
    width = document.documentElement.clientWidth;
    for (const chart of charts) await chart();
  }

  async function begin() {
    prepare_tables();
    for (const figure of document.querySelectorAll("figure.chart")) {
      const spec = JSON.parse(figure.querySelector("script").textContent);
      charts.push(() => draw(figure.querySelector(".plot"), spec));
    }
    for (const component of components) charts.push(...component());
    await draw_all();
    let waiting = 0;
    window.addEventListener("resize", () => {
      clearTimeout(waiting);
      if (document.documentElement.clientWidth !== width) waiting = setTimeout(draw_all, 200);
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw_all);
    for (const details of document.querySelectorAll("details")) details.addEventListener("toggle", draw_all);
  }

  const ready = new Promise(done => document.addEventListener("DOMContentLoaded", () => begin().finally(done)));
  return {draw, choose, show_only, components, listeners, ready, views};
})();
