/** The style sheet of a panel's inside. Colors follow the system's setting. */
export const PANEL_STYLES = `
.panel { --paper: #fff; --ink: #1b2330; --soft: #566173; --line: #c9d0da; --shade: #f1f4f8;
  --accent: #1d4f91; --bad: #a3201d; --good: #1c6634;
  position: fixed; z-index: 2147483001; display: flex; flex-direction: column; box-sizing: border-box;
  overflow: hidden; color: var(--ink); background: var(--paper); border: 1px solid var(--line);
  box-shadow: 0 0 18px rgb(0 0 0 / .25); font: 13px/1.45 system-ui, sans-serif; text-align: left; }
.panel[data-dock="bottom"] { inset: auto 0 0 0; height: calc(var(--size) * 100vh); }
.panel[data-dock="right"] { inset: 0 0 0 auto; width: max(calc(var(--size) * 100vw), min(20rem, 100vw)); }
.panel[data-dock="float"] { left: calc(var(--x) * 100vw); top: calc(var(--y) * 100vh);
  width: min(40rem, calc(100vw - var(--x) * 100vw)); min-width: min(18rem, 100vw);
  height: min(30rem, calc(100vh - var(--y) * 100vh)); border-radius: 8px; }
.grip { flex: none; height: 8px; background: var(--shade); cursor: ns-resize; touch-action: none; }
.panel[data-dock="right"] .grip { position: absolute; inset: 0 auto 0 0; width: 8px; height: auto;
  cursor: ew-resize; }
.panel[data-dock="right"] { padding-left: 8px; }
.panel[data-dock="float"] .grip { height: 14px; cursor: move;
  background: repeating-linear-gradient(var(--line) 0 1px, var(--shade) 1px 4px); }
header, .bar { display: flex; gap: 6px; align-items: center; }
.bar { flex-wrap: wrap; }
header { flex: none; padding: 6px 10px; border-bottom: 1px solid var(--line); }
h2, h3 { margin: 0; font: 600 13px/1.4 system-ui, sans-serif; }
h3 { margin: 8px 0 4px; color: var(--soft); }
.bar + .bar { margin-top: 8px; }
[role="tablist"] { display: flex; flex: 1; flex-wrap: wrap; gap: 2px; min-width: 0; }
[role="tab"] { border-color: transparent; background: none; }
[role="tab"][aria-selected="true"] { border-color: var(--accent); color: var(--accent);
  font-weight: 600; }
.page { flex: 1; min-height: 0; overflow: auto; padding: 8px 10px; }
.status { flex: none; margin: 0; padding: 4px 10px; min-height: 1.45em; color: var(--soft);
  border-top: 1px solid var(--line); overflow-wrap: anywhere; }
button, select, input, textarea { box-sizing: border-box; max-width: 100%; padding: 4px 8px;
  font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--line);
  border-radius: 4px; }
button { cursor: pointer; background: var(--shade); }
textarea, pre { font: 12px/1.5 ui-monospace, monospace; }
textarea { display: block; width: 100%; margin-bottom: 6px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.entries { margin: 6px 0; padding: 0; list-style: none; border: 1px solid var(--line); }
.entries li + li { border-top: 1px solid var(--line); }
.plain { padding: 4px 8px; overflow-wrap: anywhere; }
.line { display: flex; gap: 8px; width: 100%; text-align: left; border: 0; border-radius: 0;
  background: none; }
.line[aria-expanded="true"] { background: var(--shade); }
.type { flex: none; color: var(--soft); }
.name { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.state { flex: none; color: var(--soft); }
.state[data-state="failed"] { color: var(--bad); }
.state[data-state="done"] { color: var(--good); }
.details { padding: 6px 8px; }
.rule, .hint, .empty, .reason { margin: 4px 0; color: var(--soft); overflow-wrap: anywhere; }
pre { max-height: 20em; margin: 0; padding: 6px; overflow: auto; background: var(--shade);
  white-space: pre-wrap; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) {
  .panel { --paper: #141a23; --ink: #e6ebf2; --soft: #a9b4c4; --line: #3a4556; --shade: #1f2733;
    --accent: #8fbcf5; --bad: #ff9d97; --good: #86d79d; }
}
`;
