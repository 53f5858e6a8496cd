import { defineComponent, type VNode } from "vue";
import type { FleetServer } from "@trestle/mcp-server";
import { CardTable } from "../components/CardTable.tsx";
import { Notice } from "../components/Notice.tsx";
import { timeText } from "../components/times.ts";
import { useFleet } from "../composables/use_fleet.ts";
import { usePolling } from "../composables/use_polling.ts";

const POLL_MS = 5_000;

/** The servers that share the jobs. */
export const ServersPage = defineComponent(() => {
  const fleet = useFleet();
  usePolling(fleet.load, POLL_MS);
  return () => (
    <div class="page">
      <header>
        <h1>Servers</h1>
      </header>
      {fleet.problem.value !== undefined && !fleet.problem.value.isAway && (
        <Notice text={fleet.problem.value.message} code={fleet.problem.value.code} />
      )}
      {fleet.servers.value !== undefined && drawTable(fleet.servers.value)}
    </div>
  );
}, { name: "ServersPage" });

const COLUMNS = ["Server", "State", "Labels", "Version", "Running", "Waiting", "Last heartbeat"];

function drawTable(servers: readonly FleetServer[]): VNode {
  return <CardTable columns={COLUMNS}>{servers.map(drawRow)}</CardTable>;
}

function drawRow({ name, state, labels, version, load, lastHeartbeat }: FleetServer): VNode {
  return (
    <tr key={name}>
      <td class="name">{name}</td>
      <td>{state}</td>
      <td>{labels.map((label) => <span class="tag" key={label}>{label}</span>)}</td>
      <td>{version}</td>
      <td>{load.runs}</td>
      <td>{load.queue}</td>
      <td>{timeText(lastHeartbeat)}</td>
    </tr>
  );
}
