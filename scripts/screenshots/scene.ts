import type { Page } from "playwright-core";

/** What a screenshot shows, and the servers that it needs. */
export interface Scene extends AsyncDisposable {
  /** Path of the screenshot from the root. */
  readonly file: string;
  /** Brings a page to the state that is shown. */
  readonly show: (page: Page) => Promise<void>;
}
