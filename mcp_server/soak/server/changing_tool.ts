/** The tool `changing`, which answers with its version. */
const TOOL = `import { buildResponse, type ToolModule } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Answer with the version.", () => buildResponse({ version: VERSION }));
};
export default register;
`;

/** What can't be parsed. */
const BROKEN = "export default (\n";

/** Writes a version of the tool `changing` into a folder, in one step. */
export async function writeTool(folder: string, version: number | "broken"): Promise<void> {
  const text = version === "broken" ? BROKEN : TOOL.replace("VERSION", `${version}`);
  await Deno.writeTextFile(`${folder}/changing.ts.new`, text);
  await Deno.rename(`${folder}/changing.ts.new`, `${folder}/changing.ts`);
}
