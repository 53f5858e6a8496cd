import type { VNode } from "vue";
import { CopyButton } from "../components/CopyButton.tsx";

/** How clients connect to the server that the page comes from; the token is left to their user. */
export function ConnectClient(): VNode {
  const url = `${location.origin}/mcp`;
  const headers = { Authorization: "Bearer ${MCP_TOKEN}" };
  const blocks: readonly (readonly [client: string, text: string])[] = [
    ["Any MCP client", url],
    [
      "Claude Code",
      `claude mcp add --transport http trestle ${url} --header "Authorization: Bearer $MCP_TOKEN"`,
    ],
    [
      "A configuration file",
      JSON.stringify({ mcpServers: { trestle: { type: "http", url, headers } } }, null, 2),
    ],
    [
      "curl",
      `curl -s ${location.origin}/api/tools -H "Authorization: Bearer $MCP_TOKEN"`,
    ],
  ];
  return (
    <section aria-label="Connect your client">
      <h2>Connect your client</h2>
      {blocks.map(([client, text]) => (
        <div class="result" key={client}>
          <header>
            <h3>{client}</h3>
            <CopyButton label={`Copy for ${client}`} text={() => text} />
          </header>
          <pre tabindex={0}>{text}</pre>
        </div>
      ))}
    </section>
  );
}
