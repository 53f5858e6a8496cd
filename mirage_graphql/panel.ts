/**
 * A panel for pages in development: what a mock is asked and answers, its records, and what is to
 * fail or to wait.
 *
 * @module
 */
export { type MountedPanel, mountPanel, type PanelOptions } from "./panel/mount_panel.ts";
export type { PanelServer } from "./panel/panel_page.ts";
