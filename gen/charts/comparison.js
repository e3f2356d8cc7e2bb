// Compares configurations: a bar each for a figure, and marks over two figures with their front. The reader chooses
// figures, input, baseline, order, groups, colours and filters.
"use strict";
page.components.push(() => [...document.querySelectorAll(".comparison")].map(place => {
  const given = JSON.parse(place.querySelector("script").textContent);
  const {points, figures, inputs, keys} = given;
  const most_bars = 60, most_colours = 7, all = "all", mean = "geometric mean";
  const choice = {};

  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  const choices = element("div", {class: "choices"}), filters = element("div", {class: "choices"});
  function select(name, words, values, first, parent = choices) {
    if (values.length < 2) return;
    const made = element("select", {"data-choice": name}, ...values.map(([value, text]) =>
      element("option", {value}, String(text ?? value))));
    made.value = first ?? values[0][0];
    made.addEventListener("change", draw);
    choice[name] = made;
    parent.append(element("label", {}, words + " ", made));
  }
  const chosen = (name, otherwise = "") => choice[name] ? choice[name].value : otherwise;

  const figure_named = name => figures.find(f => f.name === name);
  const title_of = f => f.title + (f.unit ? ", " + f.unit : "");
  function text_of(value, f) {
    if (value === undefined) return "-";
    if (f && f.digits !== undefined) return value.toFixed(f.digits) + (f.unit ? " " + f.unit : "");
    return Math.abs(value) >= 1e4 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(4)));
  }

  // The figure on an input; their geometric mean over all inputs where every one has it.
  function figure_on(point, name, input) {
    if (input !== mean) return point.figures[input]?.[name] ?? point.figures[""]?.[name];
    const values = inputs.map(i => point.figures[i]?.[name]).filter(v => v !== undefined);
    if (!values.length) return point.figures[""]?.[name];
    if (values.length < (given.counts?.[name] ?? 1)) return undefined;
    return values.length === 1 ? values[0] : Math.exp(values.reduce((sum, v) => sum + Math.log(v), 0) / values.length);
  }

  // What most inputs have: a configuration that lacks some has no mean.
  given.counts = Object.fromEntries(figures.map(f => [f.name,
    Math.max(...points.map(p => inputs.filter(i => p.figures[i]?.[f.name] !== undefined).length))]));

  const passing = () => points.filter(p => keys.every(k => [all, String(p.keys[k])].includes(chosen("key " + k, all))));

  function bars_spec(shown) {
    const f = figure_named(chosen("figure", figures[0].name)), base = chosen("base"), order = chosen("order", "listed");
    const each = chosen("input", all) === all && f.name !== "bits" && given.counts[f.name] > 0;
    const used = each ? inputs.filter(i => points.some(p => figure_on(p, f.name, i) !== undefined))
                      : [chosen("input", all) === all ? mean : chosen("input")];
    const group = chosen("group"), colour = chosen("colour");
    const rows = [];
    for (const input of used)
      for (const p of shown) {
        const own = figure_on(p, f.name, input), of = points.find(q => q.configuration === base);
        const reference = of && figure_on(of, f.name, input);
        const value = base ? own / reference : own;
        if (!Number.isFinite(value)) continue;
        rows.push({configuration: p.configuration, command: p.command, input, value,
          text: base ? value.toFixed(3) : text_of(value, f), reference: p.configuration === (base || given.baseline),
          group: group ? String(p.keys[group]) : "", colour: colour ? String(p.keys[colour]) : ""});
      }
    const sums = {};
    for (const row of rows) sums[row.configuration] = (sums[row.configuration] || 0) + row.value;
    const names = Object.keys(sums), listed = points.map(p => p.configuration).filter(n => n in sums);
    const by = {listed: () => listed, value: () => names.sort((a, b) => sums[a] - sums[b]),
      name: () => names.sort((a, b) => a.localeCompare(b, "en", {numeric: true}))}[order]();
    const kept = by.slice(0, most_bars), spec = structuredClone(given.bars);
    spec.data = {values: rows.filter(row => kept.includes(row.configuration))};
    const x = spec.spec.encoding.x;
    x.title = base ? `${f.title}, relative to ${base}` : title_of(f);
    for (const layer of spec.spec.layer) if (layer.encoding.y) layer.encoding.y.sort = kept;
    if (colour) spec.spec.layer[0].encoding.color = colour_by(colour);
    const wide = place.clientWidth > 700;
    const column = {field: "input", sort: used, header: {title: null, labelLimit: 0}};
    const row = {field: "group", title: null, header: {title: null, labelOrient: "top", labelAnchor: "start"}};
    if (group && each && used.length > 1 && wide) spec.facet = {row, column};
    else if (group) spec.facet = {row};
    else spec.facet = {...column, header: {...column.header, labelAnchor: "start"}};
    if (!spec.facet.row) {
      spec.columns = wide ? Math.min(used.length, 4) : 1;
      if (used.length === 1) spec.facet.header.labels = used[0] !== mean && inputs.length > 1;
    } else if (spec.facet.column) {
      spec.usermeta.columns = used.length;
    }
    spec.resolve = {scale: {y: group ? "independent" : "shared", x: each && !base ? "independent" : "shared"}};
    return [spec, by.length - kept.length];
  }

  function colour_by(key) {
    const values = [...new Set(points.map(p => String(p.keys[key])))];
    values.sort((a, b) => a.localeCompare(b, "en", {numeric: true}));
    const ordered = values.length > most_colours || values.every(v => v !== "" && !isNaN(v));
    return {field: "colour", type: ordered ? "ordinal" : "nominal", sort: values, title: key,
      ...(ordered ? {scale: {scheme: "viridis"}} : {}),
      legend: {orient: "top", columns: place.clientWidth > 700 ? 6 : 2}};
  }

  // At least as good in both and better in one: those that none other beats so.
  function mark_front(rows, better_x, better_y) {
    rows.sort((a, b) => better_x * (a.x - b.x) || better_y * (a.y - b.y));
    let last = null;
    for (const row of rows)
      if (row.on = !last || better_y * (row.y - last.y) < 0 || (row.y === last.y && row.x === last.x)) last = row;
  }

  function scatter_spec(shown) {
    const x = figure_named(chosen("x", given.start.x)), y = figure_named(chosen("y", given.start.y));
    const input = chosen("input", all) === all ? (inputs.length > 1 ? mean : inputs[0] ?? "") : chosen("input");
    const colour = chosen("colour");
    const rows = shown.map(p => ({configuration: p.configuration, command: p.command, x: figure_on(p, x.name, input),
      y: figure_on(p, y.name, input), colour: colour ? String(p.keys[colour]) : ""}))
      .filter(row => row.x !== undefined && row.y !== undefined);
    mark_front(rows, x.better === "more" ? -1 : 1, y.better === "more" ? -1 : 1);
    const spec = structuredClone(given.scatter), log = chosen("scale", "log") === "log";
    spec.data = {values: [...rows.filter(row => !row.on), ...rows.filter(row => row.on)]};  // the front above
    spec.title.text = inputs.length > 1 ? input : "";
    for (const [axis, f] of [["x", x], ["y", y]]) {
      const own = log && rows.every(row => row[axis] > 0);
      Object.assign(spec.encoding[axis], {title: title_of(f) + (own ? " (log scale)" : "")});
      spec.encoding[axis].scale = {...spec.encoding[axis].scale, ...(own ? {type: "log"} : {zero: false})};
      for (const layer of spec.layer)
        for (const tip of layer.encoding.tooltip || []) if (tip.field === axis) tip.title = f.title;
    }
    if (colour) spec.layer[1].encoding.color = colour_by(colour);
    return [spec, rows];
  }

  const plots = element("div", {class: "pair"}), count = element("p", {class: "count"});
  const about = element("div", {class: "about"}), bars = element("div", {class: "plot"});
  const scatter = element("div", {class: "plot"});

  // The command and the figures of the configurations that were chosen last.
  function notify(names) {
    about.replaceChildren(...names.slice(-2).map(name => points.find(p => p.configuration === name)).filter(p => p)
      .flatMap(p => [
        element("p", {}, element("strong", {}, p.configuration), ...(p.from ?
          [" (", element("a", {href: p.from}, "where the figures are from"), ")"] : []), ": " +
          figures.map(f => [f, figure_on(p, f.name, inputs.length > 1 ? mean : inputs[0] ?? "")])
            .filter(([, v]) => v !== undefined).map(([f, v]) => `${f.title} ${text_of(v, f)}`).join("; ")),
        element("pre", {}, element("code", {}, p.command))]));
  }

  async function draw() {
    const shown = passing();
    page.show_only(new Set(shown.map(p => p.configuration)));
    const notes = [`${shown.length} of ${points.length} configurations`];
    if (given.bars) {
      const [spec, left] = bars_spec(shown);
      if (left) notes.push(`bars of the first ${most_bars}: filter, or choose another order`);
      await page.draw(bars, spec);
    }
    if (given.scatter) {
      const [spec, rows] = scatter_spec(shown), on = rows.filter(row => row.on).length;
      notes.push(`${rows.length} with both figures, ${on} on the front: no other is as good in both and better in one`);
      await page.draw(scatter, spec);
    }
    count.textContent = notes.join("; ") + ". A click on a mark or a row chooses a configuration.";
  }

  const titles = figures.map(f => [f.name, title_of(f)]), names = points.map(p => [p.configuration]);
  const few = 3;  // of so few configurations nobody needs groups
  const varied = keys.filter(k => points.length > few && new Set(points.map(p => String(p.keys[k]))).size > 1);
  if (given.bars) select("figure", "bars", titles, given.start.figure);
  if (given.bars) select("base", "relative to", [["", "nothing"], ...names], "");
  if (given.bars) select("order", "order", [["listed", "as listed"], ["value"], ["name"]], "listed");
  if (given.scatter) select("x", "across", titles, given.start.x);
  if (given.scatter) select("y", "up", titles, given.start.y);
  if (given.scatter) select("scale", "scales", [["log", "logarithmic"], ["linear"]], given.start.scale ?? "log");
  if (inputs.length > 1)
    select("input", "input", [...(given.bars ? [[all, "each"]] : []), [mean], ...inputs.map(i => [i])],
      inputs.length > 4 || !given.bars || place.clientWidth < 700 ? mean : all);
  if (varied.length && given.bars) select("group", "groups", [["", "none"], ...varied.map(k => [k])], "");
  if (varied.length) select("colour", "colours", [["", "none"], ...varied.map(k => [k])], given.start.colour ?? "");
  for (const key of varied) {
    const values = [...new Set(points.map(p => String(p.keys[key])))];
    values.sort((a, b) => a.localeCompare(b, "en", {numeric: true}));
    select("key " + key, key, [[all], ...values.map(v => [v])], all, filters);
  }
  page.listeners.push(notify);
  if (given.bars) plots.append(bars);
  if (given.scatter) plots.append(scatter);
  place.append(choices, filters, count, plots, about);
  return draw;
}));
