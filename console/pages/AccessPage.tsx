import type { VNode } from "vue";
import type { Rights } from "@trestle/mcp-server";
import type { Me } from "../api/server.ts";
import { session } from "../composables/use_session.ts";

/** What the caller may do. */
export function AccessPage(): VNode {
  const me = session.me.value;
  return (
    <div class="page">
      <header>
        <h1>Access</h1>
      </header>
      {me === undefined
        ? <p class="empty">This server does not say what you may do.</p>
        : drawCaller(me)}
    </div>
  );
}

function drawCaller({ name, rights, scopes }: Me): VNode {
  return (
    <>
      <p>
        You are <strong>{name}</strong>.
        {rights === undefined && " You may do everything that this server does."}
      </p>
      <dl class="rights">
        {rights !== undefined && factsOf(rights).map(([right, values]) => (
          <div key={right}>
            <dt>{right}</dt>
            <dd>
              {values.length === 0
                ? "none"
                : values.map((value) => <code key={value}>{value}</code>)}
            </dd>
          </div>
        ))}
        {scopes !== undefined && (
          <div>
            <dt>Scopes</dt>
            <dd>{scopes.map((scope) => <code key={scope}>{scope}</code>)}</dd>
          </div>
        )}
      </dl>
    </>
  );
}

function factsOf(rights: Rights): readonly (readonly [string, readonly string[]])[] {
  const { tools, hosts, databases, paths, ask = [], askBy, admin, runAs } = rights;
  const limits = [
    ["calls", rights.maxCalls],
    ["jobs", rights.maxJobs],
    ["time-out in ms", rights.maxTimeoutMs],
  ].flatMap(([name, most]) => most === undefined ? [] : [`${name} ≤ ${most}`]);
  return [
    ["Tools", tools],
    ["Hosts", hosts],
    ["Databases", Object.entries(databases).map(([name, mode]) => `${name}: ${mode}`)],
    ["Paths", paths],
    ...(ask.length === 0 ? [] : [["Need approval", ask] as const]),
    ...(askBy === undefined ? [] : [["Approved by", [askBy]] as const]),
    ["Limits", limits],
    ["Administration", admin ? ["yes"] : []],
    ...(runAs === undefined ? [] : [["Runs as", [runAs]] as const]),
  ];
}
