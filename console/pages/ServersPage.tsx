import { defineComponent, type VNode } from "vue";
import type { FleetServer } from "../api/server.ts";
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
      {fleet.servers.value === undefined
        ? <p class="empty">This server is alone.</p>
        : drawTable(fleet.servers.value)}
    </div>
  );
}, { name: "ServersPage" });

function drawTable(servers: readonly FleetServer[]): VNode {
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Server</th>
          <th scope="col">Labels</th>
          <th scope="col">Version</th>
          <th scope="col">Running</th>
          <th scope="col">Waiting</th>
          <th scope="col">Last heartbeat</th>
        </tr>
      </thead>
      <tbody>
        {servers.map(({ name, labels, version, load, lastHeartbeat }) => (
          <tr key={name}>
            <td class="name">{name}</td>
            <td>{labels.map((label) => <span class="tag" key={label}>{label}</span>)}</td>
            <td>{version}</td>
            <td>{load.runs}</td>
            <td>{load.queue}</td>
            <td>{timeText(lastHeartbeat)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
