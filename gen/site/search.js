// Finds the sections of the site's pages that have all words of the query; search-index.js has their text.
"use strict";
const most = 50;
const query = document.getElementById("query");
const lower = search_index.map(([title, , text]) => [title.toLowerCase(), text.toLowerCase()]);

function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

// A few words around the first hit.
function excerpt(text, at) {
  const from = Math.max(0, at - 60);
  return (from ? "..." : "") + text.slice(from, from + 200) + (from + 200 < text.length ? "..." : "");
}

function show() {
  const words = query.value.toLowerCase().split(/\s+/).filter(word => word);
  const hits = [];
  if (words.length)
    lower.forEach(([title, text], n) => {
      if (!words.every(word => title.includes(word) || text.includes(word))) return;
      hits.push([words.filter(word => title.includes(word)).length, n]);
    });
  hits.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  const found = document.getElementById("found");
  found.replaceChildren();
  for (const [, n] of hits.slice(0, most)) {
    const [title, file, text] = search_index[n];
    const link = element("a", title);
    link.href = file;
    const head = element("p", "");
    head.append(link);
    found.append(head, element("p", excerpt(text, lower[n][1].indexOf(words[0]))));
  }
  document.getElementById("count").textContent =
    !words.length ? "Sections that have all words are found."
      : hits.length > most ? `${hits.length} sections; the first ${most}:` : `${hits.length} sections`;
}

query.value = new URLSearchParams(location.search).get("q") || "";
query.addEventListener("input", show);
show();
