// The pages of a site that nothing is measured for: the documentation, the catalogue, the explorer, the
// search.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "gen/reports.h"

namespace gen {

// Text of each file, by its path in the site.
using SiteFiles = std::map<std::string, std::string>;

// The documentation: Markdown, and the files that it links to. Throws FileError.
SiteFiles documentation_pages(const Origin& origin);

// The catalogue, which links the datasheets that are there, by their presets.
std::string catalogue_page(const std::map<std::string, std::string>& datasheets, const Origin& origin);

// The page of the explorer with its scripts, and the page of the search without its index.
SiteFiles tool_pages(const Origin& origin);

// The index of the search over all pages that are HTML.
std::string search_index(const SiteFiles& files);

// A page with the site's links at its head; `file` is its path in the site.
std::string with_navigation(const std::string& page, const std::string& file);

}  // namespace gen
