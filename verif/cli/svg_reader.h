// Reads the elements of an SVG picture back, one by one, with their attributes and text.
#pragma once
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace verif {

struct SvgElement {
  std::string tag, text;
  std::map<std::string, std::string> attributes;

  const std::string& operator[](const std::string& name) const { return attributes.at(name); }
  double number(const std::string& name) const { return std::strtod(attributes.at(name).c_str(), nullptr); }
  bool is(const std::string& name, const std::string& value) const {
    const auto found = attributes.find(name);
    return found != attributes.end() && found->second == value;
  }
};

inline std::string plain_text(std::string escaped) {
  for (const auto& [code, character] :
       {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
    for (std::size_t at; (at = escaped.find(code)) != std::string::npos;)
      escaped.replace(at, std::string(code).size(), character);
  return escaped;
}

// Attributes have the form name="value"; text has no elements inside.
inline std::vector<SvgElement> read_svg(const std::string& svg) {
  std::vector<SvgElement> elements;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    if (svg[at + 1] == '/') continue;
    const std::size_t end = svg.find('>', at);
    const std::string inside = svg.substr(at + 1, end - at - 1);
    SvgElement& element = elements.emplace_back();
    element.tag = inside.substr(0, inside.find_first_of(" /"));
    for (std::size_t equals = inside.find("=\""); equals != std::string::npos;) {
      const std::size_t name = inside.rfind(' ', equals) + 1, close = inside.find('"', equals + 2);
      element.attributes[inside.substr(name, equals - name)] = inside.substr(equals + 2, close - equals - 2);
      equals = inside.find("=\"", close);
    }
    element.text = plain_text(svg.substr(end + 1, svg.find('<', end) - end - 1));
  }
  return elements;
}

}  // namespace verif
