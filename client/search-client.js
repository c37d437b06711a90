/**
 * A search client for Algolia's front-end libraries InstantSearch and Autocomplete, which searches a Vitrine shop.
 * Without dependencies; every store serves it at /vitrine/search-client.js. Types and descriptions are in
 * search-client.d.ts, examples in docs/how-to/use-instantsearch.md. Comments are on separate lines and no string spans
 * lines: the server removes comments from this file.
 */

/** Maximum number of queries in one request to `/search.json`. */
const MAX_QUERIES = 10;
const MAX_PER_PAGE = 50;
const MAX_SUGGESTIONS = 10;
const DEFAULT_PER_PAGE = 20;
const DEFAULT_FACET_VALUES = 10;
const DEFAULT_SNIPPET_WORDS = 10;

/** Algolia parameters that the shop does not support. They would change the results, so they are rejected. */
const unsupportedParams = ["tagFilters", "aroundLatLng", "insideBoundingBox", "insidePolygon"];
const aliases = { type: "product_type", tags: "tag" };

export function createSearchClient(options = {}) {
  const { origin = "", locale = "", key = "", attributes = {}, indexes = {}, parameters = {} } = options;
  const { toHit = (entry) => entry, fetch: send = (...args) => fetch(...args) } = options;
  const host = origin.replace(/\/$/, "");
  const root = host + (locale === "" ? "" : `/${locale}`);

  const getJson = async (path, query) => {
    if (key !== "") query.set("key", key);
    const response = await send(`${root}${path}?${query}`);
    const body = await response.json().catch(() => ({}));
    if (response.ok) return body;
    throw new Error(body.description ?? `The search failed with status ${response.status}.`);
  };

  /** Returns the filter parameter of an attribute; undefined if the shop has no such filter. */
  const paramOf = (attribute) => {
    const name = attributes[attribute] ?? aliases[attribute] ?? attribute;
    if (name.startsWith("filter.")) return name;
    if (/^(?:vendor|product_type|tag|m\..+)$/.test(name)) return `filter.p.${name}`;
    return /^(?:availability|price|option\..+)$/.test(name) ? `filter.v.${name}` : undefined;
  };
  const requireParam = (attribute) => {
    const param = paramOf(attribute);
    if (param === undefined) throw new Error(`The shop has no filter "${attribute}".`);
    return param;
  };

  const parseFacetFilter = (text) => {
    const end = text.indexOf(":");
    const value = text.slice(end + 1);
    const isExcluded = value.startsWith("-");
    return { param: requireParam(text.slice(0, end)), value: isExcluded ? value.slice(1) : value, isExcluded };
  };

  /**
   * Adds facet filters such as `["tag:new", ["vendor:Acme", "vendor:Cobb"]]`, in which an inner list means "or". A list
   * of values of one attribute becomes a filter of the shop, whose facet still counts its other values. Other filters
   * become conditions of the parameter `filters`.
   */
  const addFacetFilters = (query, conditions, filters) => {
    for (const filter of toList(filters)) {
      const choices = toList(filter).map(parseFacetFilter);
      const [{ param } = {}] = choices;
      if (param === undefined) continue;
      const isList = Array.isArray(filter) && choices.every((choice) => choice.param === param && !choice.isExcluded);
      if (isList && !query.has(param)) for (const { value } of choices) query.append(param, formatValue(param, value));
      else conditions.push(choices.map(formatCondition).join(" OR "));
    }
  };

  const formatCondition = ({ param, value, isExcluded }) =>
    `${isExcluded ? "NOT " : ""}${quote(param)}:${quote(formatValue(param, value))}`;

  const addNumericFilters = (query, conditions, filters) => {
    for (const filter of toList(filters)) {
      const comparisons = toList(filter).map((text) => {
        const [, name, operator, amount] =
          /^(.+?)\s*(<=|>=|!=|[<>=])\s*(-?[\d.]+)$/.exec(text) ??
          /^(.+?)\s*(:)\s*(-?[\d.]+\s+TO\s+-?[\d.]+)$/.exec(text) ??
          [];
        if (name === undefined) throw new Error(`The filter "${text}" is not supported.`);
        return { param: requireParam(name), operator, amount };
      });
      const [{ param, operator, amount } = {}] = comparisons;
      const names = { ">=": ["gte"], "<=": ["lte"], "=": ["gte", "lte"] }[operator]?.map((name) => `${param}.${name}`);
      const isLimit = comparisons.length === 1 && param === "filter.v.price" && names !== undefined;
      if (isLimit && !names.some((name) => query.has(name))) for (const name of names) query.set(name, amount);
      else if (param !== undefined)
        conditions.push(comparisons.map((one) => `${quote(one.param)}${one.operator}${one.amount}`).join(" OR "));
    }
  };

  /** Replaces the attributes in an expression such as `brand:Acme AND price < 20` by the filters of the shop. */
  const mapExpression = (text) =>
    text.replace(expressionPattern, (all, quoted, word, operator, value = "") => {
      const name = quoted === undefined ? word : quoted.slice(1, -1).replace(/\\(.)/gs, "$1");
      if (operator !== undefined) return quote(requireParam(name)) + operator + value;
      const end = quoted === undefined ? -1 : name.indexOf(":");
      return end < 0 ? all : `${quote(requireParam(name.slice(0, end)))}:${quote(name.slice(end + 1))}`;
    });

  const createQuery = ({ type, sortBy }, params) => {
    for (const name of unsupportedParams)
      if (params[name]?.length > 0) throw new Error(`The parameter "${name}" is not supported.`);
    const query = new URLSearchParams({ ...parameters, q: params.query?.trim() || "*", type });
    if (sortBy !== undefined) query.set("sort_by", sortBy);
    query.set("limit", Math.min(Math.max(params.hitsPerPage ?? DEFAULT_PER_PAGE, 1), MAX_PER_PAGE));
    query.set("page", (params.page ?? 0) + 1);
    const conditions = toList(query.get("filters"));
    addFacetFilters(query, conditions, params.facetFilters);
    addNumericFilters(query, conditions, params.numericFilters);
    if (params.filters?.trim()) conditions.push(mapExpression(params.filters));
    if (conditions.length > 0) query.set("filters", conditions.map((condition) => `(${condition})`).join(" AND "));
    return query;
  };

  /** Returns the result pages of several queries, with as few requests as possible. */
  const getPages = async (queries) => {
    if (queries.length === 1) return [await getJson("/search.json", queries[0])];
    const groups = [];
    for (let start = 0; start < queries.length; start += MAX_QUERIES)
      groups.push(queries.slice(start, start + MAX_QUERIES).map((query) => ["queries[]", query]));
    const answers = groups.map((group) => getJson("/search.json", new URLSearchParams(group)));
    return (await Promise.all(answers)).flatMap(({ results }) => results);
  };

  /** Returns suggested queries in the format of a result page. */
  const getSuggestions = async ({ query = "", hitsPerPage = 5 }) => {
    const q = query.trim();
    const limit = Math.min(Math.max(hitsPerPage, 1), MAX_SUGGESTIONS);
    const search = new URLSearchParams({ q, "resources[type]": "query", "resources[limit]": limit });
    const found = q === "" ? [] : (await getJson("/search/suggest.json", search)).resources.results.queries;
    const results = found.map(({ text, url }) => ({ id: text, query: text, text, url }));
    return { terms: q, page: 1, pages: 1, results_count: results.length, results, facets: [] };
  };

  const readFacets = (facets, names, maxValues = DEFAULT_FACET_VALUES) => {
    const counts = {};
    const stats = {};
    const requestedNames = toList(names).includes("*")
      ? facets.map(({ param_name: param }) => param.replace(/^filter\.[pv]\./, ""))
      : toList(names);
    for (const name of requestedNames) {
      const facet = facets.find(({ param_name: param }) => param === paramOf(name));
      if (facet === undefined) continue;
      const values = (facet.values ?? []).filter(({ count, active }) => count > 0 || active);
      const topValues = values.sort((a, b) => b.count - a.count).slice(0, maxValues);
      counts[name] = Object.fromEntries(topValues.map(({ value, count }) => [value, count]));
      if (facet.type === "price_range") stats[name] = { min: 0, max: Number(facet.range_max) };
    }
    return { facets: counts, facets_stats: stats };
  };

  const createResult = (request, params, page, startTime) => {
    const { hitsPerPage = DEFAULT_PER_PAGE, facets, maxValuesPerFacet, query = "" } = params;
    const words = splitWords(`${page.notice?.terms ?? ""} ${query}`);
    return {
      hits:
        hitsPerPage === 0 ? [] : page.results.map((entry) => createHit(toHit(extendEntry(entry, host)), words, params)),
      nbHits: page.results_count,
      page: page.page - 1,
      nbPages: page.pages,
      hitsPerPage: Math.min(hitsPerPage, MAX_PER_PAGE),
      ...readFacets(page.facets, facets, maxValuesPerFacet),
      ...{ exhaustiveNbHits: true, exhaustiveFacetsCount: true },
      processingTimeMS: Math.round(performance.now() - startTime),
      ...{ query, params: "", index: request.indexName },
    };
  };

  /** Returns the values of a facet that contain the text `params.facetQuery`, with their counts. */
  const searchFacetValues = async (indexName, name, params) => {
    const query = createQuery(parseIndex(indexName, indexes), { ...params, hitsPerPage: 0, page: 0 });
    // Remove the filter on this facet, so that all of its values are listed. Their counts ignore that filter anyway.
    query.delete(paramOf(name) ?? "");
    const [page] = await getPages([query]);
    const { facets } = readFacets(page.facets, name, Infinity);
    const text = fold(params.facetQuery ?? "");
    const words = splitWords(text);
    const facetHits = Object.entries(facets[name] ?? {})
      .filter(([value]) => fold(value).includes(text))
      .slice(0, params.maxFacetHits ?? DEFAULT_FACET_VALUES)
      .map(([value, count]) => ({ value, count, highlighted: highlight(value, words, tagsOf(params)).value }));
    return { facetHits, exhaustiveFacetsCount: true };
  };

  return {
    appId: "vitrine",
    apiKey: key || "vitrine",
    transporter: {
      headers: { "x-algolia-application-id": "vitrine", "x-algolia-api-key": key || "vitrine" },
    },
    async search(requests) {
      const startTime = performance.now();
      const searchCalls = requests.map((request) => {
        const params = { ...request, ...request.params };
        if (request.type === "facet") return { answer: searchFacetValues(request.indexName, request.facet, params) };
        const index = parseIndex(request.indexName, indexes);
        return index.type === "query"
          ? { answer: getSuggestions(params).then((page) => createResult(request, params, page, startTime)) }
          : { request, params, query: createQuery(index, params) };
      });
      const searches = searchCalls.filter(({ query }) => query !== undefined);
      const [answers, pages] = await Promise.all([
        Promise.all(searchCalls.map(({ answer }) => answer)),
        searches.length === 0 ? [] : getPages(searches.map(({ query }) => query)),
      ]);
      const results = searchCalls.map((call, position) =>
        call.query === undefined
          ? answers[position]
          : createResult(call.request, call.params, pages[searches.indexOf(call)], startTime),
      );
      return { results };
    },
    searchForFacetValues: (requests) =>
      Promise.all(requests.map(({ indexName, params }) => searchFacetValues(indexName, params.facetName, params))),
  };
}

/**
 * Matches a name in quotes or a word of a filter expression, with the operator and the value after it. Without an
 * operator, it is a word such as AND, a tag, or a condition in quotes.
 */
const expressionPattern =
  /(?:("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|([^\s()"'<>=!:]+))(?:(\s*(?:[<>!]=|[<>=:])\s*)("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\s()"']+))?/gs;
const quote = (text) => `"${text.replace(/["\\]/g, "\\$&")}"`;
const toList = (value) => (value === undefined || value === null ? [] : [value].flat());

/** Returns type and sort order of an index name: "product:price-ascending". */
function parseIndex(indexName, indexes) {
  const [type, sortBy] = (indexes[indexName] ?? indexName).split(":");
  return { type, sortBy };
}

/** Converts a filter value of Algolia's libraries. They escape a hyphen at the start, and send "true" for switches. */
function formatValue(param, value) {
  const text = value.replace(/^\\-/, "-");
  return param === "filter.v.availability" ? ({ true: "1", false: "0" }[text] ?? text) : text;
}

const entities = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

/** Sets `description` to the text of the HTML in `body`, and adds the shop's origin to the URLs `url` and `image`. */
function extendEntry(entry, origin) {
  const links = {};
  for (const name of ["url", "image"]) if (entry[name]?.startsWith?.("/")) links[name] = origin + entry[name];
  if (typeof entry.body !== "string") return { ...entry, ...links };
  const text = entry.body
    .replace(/<[^>]*>/g, " ")
    .replace(/&([a-z]+|#39);/g, (entity, name) => entities[name] ?? entity);
  return { ...entry, ...links, description: text.replace(/\s+/g, " ").trim() };
}

const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const splitWords = (text) => [...new Set(fold(text).match(/[\p{L}\p{N}]+/gu))];
const tagsOf = ({ highlightPreTag = "<em>", highlightPostTag = "</em>" }) => [highlightPreTag, highlightPostTag];
/** Matches Chinese, Japanese, Thai, and Korean words. They are highlighted even inside a longer word. */
const unspacedPattern = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/u;

/** Adds the highlighted texts and the snippets of a hit. */
function createHit(entry, words, params) {
  const tags = tagsOf(params);
  const highlights = {};
  for (const [name, value] of Object.entries(entry)) {
    if (/^(?:body|content|url|handle|image)$/.test(name)) continue;
    if (typeof value === "string") highlights[name] = highlight(value, words, tags);
    else if (Array.isArray(value) && value.every((item) => typeof item === "string"))
      highlights[name] = value.map((item) => highlight(item, words, tags));
  }
  const snippets = {};
  for (const rule of toList(params.attributesToSnippet)) {
    const [name, count = DEFAULT_SNIPPET_WORDS] = rule.split(":");
    if (typeof entry[name] !== "string") continue;
    const text = createSnippet(entry[name], words, Number(count), params.snippetEllipsisText ?? "…");
    snippets[name] = highlight(text, words, tags);
  }
  const { objectID = String(entry.id) } = entry;
  return { ...entry, objectID, _highlightResult: highlights, _snippetResult: snippets };
}

/** Highlights every occurrence of `words` at the start of a word in a text. */
function highlight(text, words, [before, after]) {
  let folded = "";
  // For each UTF-16 unit of `folded`, its position in the text. Folding may change the number of letters.
  const positions = [];
  let position = 0;
  for (const letter of text) {
    const foldedLetter = fold(letter);
    for (let unit = 0; unit < foldedLetter.length; unit += 1) positions.push(position);
    folded += foldedLetter;
    position += letter.length;
  }
  positions.push(position);
  const highlightedUnits = new Array(text.length).fill(false);
  const matchedWords = words.filter((word) => {
    let isFound = false;
    for (let wordStart = folded.indexOf(word); wordStart !== -1; wordStart = folded.indexOf(word, wordStart + 1)) {
      if (!unspacedPattern.test(word) && /[\p{L}\p{N}]$/u.test(folded.slice(0, wordStart))) continue;
      isFound = true;
      highlightedUnits.fill(true, positions[wordStart], positions[wordStart + word.length]);
    }
    return isFound;
  });
  let value = "";
  for (let index = 0; index < text.length; index += 1) {
    if (highlightedUnits[index] && !highlightedUnits[index - 1]) value += before;
    value += text[index];
    if (highlightedUnits[index] && !highlightedUnits[index + 1]) value += after;
  }
  const level = matchedWords.length === words.length ? "full" : "partial";
  return { value, matchLevel: matchedWords.length === 0 ? "none" : level, matchedWords, fullyHighlighted: false };
}

/** Returns `count` words of a text, around the first word that starts with one of `words`. */
function createSnippet(text, words, count, ellipsis) {
  const parts = text.split(" ");
  const first = parts.findIndex((part) => words.some((word) => fold(part).startsWith(word)));
  const start = Math.max(0, Math.min(first - Math.floor(count / 2), parts.length - count));
  const end = start + count;
  return (start > 0 ? ellipsis : "") + parts.slice(start, end).join(" ") + (end < parts.length ? ellipsis : "");
}
