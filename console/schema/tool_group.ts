/** The groups of tools, in the order in which they are shown. */
export const TOOL_GROUPS = ["Commands", "Files", "Databases", "Hosts", "Jobs", "Others"] as const;

/** The name of a group of tools. */
type ToolGroup = (typeof TOOL_GROUPS)[number];

const NAMES: readonly (readonly [name: RegExp, group: ToolGroup])[] = [
  [/^exec-command$|-script$/, "Commands"],
  [/^sql-/, "Databases"],
  [/^ssh-/, "Hosts"],
  [/^job-/, "Jobs"],
  [/-files?$/, "Files"],
];

/** The group of a tool, by its name. */
export function groupOf(tool: string): ToolGroup {
  return NAMES.find(([name]) => name.test(tool))?.[1] ?? "Others";
}
