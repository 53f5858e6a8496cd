import { readFileSync } from "node:fs";
import { env } from "node:process";
import { defineConfig, type MarkdownEnv, type MarkdownRenderer } from "vitepress";
import { headingSlug } from "../../test_support/heading_slug.ts";
import { SEARCH_OPTIONS } from "./search.ts";

/** The folder that `deno task site` makes, with the pages. */
const staged = env.SITE_STAGED ?? "";
const { title, description, nav, sidebar, sources, repository } = JSON.parse(
  readFileSync(`${staged}/site.json`, "utf8"),
);

/** What the search reads of a page: its text, and what a newcomer may call its subject. */
function searchedText(source: string, env: MarkdownEnv, md: MarkdownRenderer): string {
  const html = md.render(source, env);
  const { search = true, words = "" } = env.frontmatter ?? {};
  return search ? html.replace("</h1>", `</h1><p>${words}</p>`) : "";
}

export default defineConfig({
  title,
  description,
  lang: "en",
  srcDir: `${staged}/pages`,
  vite: { publicDir: `${staged}/public`, build: { chunkSizeWarningLimit: 2_000 } },
  base: env.SITE_BASE ?? "/",
  cleanUrls: true,
  metaChunk: true,
  router: { prefetchLinks: false },
  head: [
    ["link", { rel: "icon", type: "image/svg+xml", href: `${env.SITE_BASE ?? "/"}icon.svg` }],
    ["meta", { name: "color-scheme", content: "light dark" }],
  ],
  markdown: {
    anchor: { slugify: headingSlug },
    toc: { slugify: headingSlug },
    headers: { slugify: headingSlug },
    attrs: { disable: true },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    image: { lazyLoading: true },
    languageAlias: { logrotate: "nginx" },
    config(md) {
      // As on GitHub: `vite.config.ts` is no address, and `:1234:` no picture.
      md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
      md.disable("emoji", true);
    },
  },
  themeConfig: {
    logo: { src: "/icon.svg", alt: "" },
    nav,
    sidebar,
    outline: [2, 3],
    socialLinks: [{ icon: "github", link: repository }],
    search: {
      provider: "local",
      options: { miniSearch: { searchOptions: SEARCH_OPTIONS }, _render: searchedText },
    },
    docFooter: { prev: "Before", next: "Next" },
    editLink: { pattern: `${repository}/edit/main/:path`, text: "Edit this page" },
  },
  transformPageData(page) {
    // The link to edit a page leads to the file that the page is made from.
    page.filePath = sources[page.relativePath] ?? page.filePath;
  },
});
