/** What the index of the search has: pages in sections, each with the headings above it. */
export const SEARCH_FIELDS = {
  fields: ["title", "titles", "text"],
  storeFields: ["title", "titles"],
};

/**
 * How words find sections, for MiniSearch. VitePress hands the functions on as text, so they use
 * nothing from outside of them.
 */
export const SEARCH_OPTIONS = {
  fuzzy: (term: string): number | false => term.length > 4 && 0.2,
  prefix: true,
  boost: { title: 4, text: 2, titles: 1 },
  weights: { fuzzy: 0.2, prefix: 0.5 },
  /**
   * The beginning of a page counts twice, and what lists names or figures less than what explains.
   * A recipe counts less than the page of its subject.
   */
  boostDocument(id: string, _term: string, stored?: Record<string, unknown>): number {
    if (/\/(api|figures|peers|reach|contributing|site)(?=[/.#])/.test(id)) return 0.2;
    if (/\/recipes\//.test(id)) return 0.5;
    return Array.isArray(stored?.titles) && stored.titles.length === 0 ? 2 : 1;
  },
};
