import { computed, defineComponent, shallowRef, type VNode } from "vue";
import type { EndedCallRecord, Rights } from "@trestle/mcp-server";
import { calls } from "../api/calls.ts";
import { type Me, server } from "../api/server.ts";
import { CardTable } from "../components/CardTable.tsx";
import { timeText } from "../components/times.ts";
import { login } from "../composables/use_login.ts";
import { usePolling } from "../composables/use_polling.ts";
import { session } from "../composables/use_session.ts";

/** What the caller may do, and for an admin who else may call. */
export const AccessPage = defineComponent(() => {
  return () => {
    const me = session.me.value;
    return (
      <div class="page">
        <header>
          <h1>Access</h1>
        </header>
        {me === undefined
          ? <p class="empty">This server does not say what you may do.</p>
          : drawCaller(me)}
        <CallerTable />
      </div>
    );
  };
}, { name: "AccessPage" });

function drawCaller({ name, rights, scopes }: Me): VNode {
  const way = login.isOpen.value
    ? ", logged in at the issuer until this page is left"
    : session.hasToken.value
    ? ", logged in with a token"
    : "";
  return (
    <>
      <p>
        You are <strong>{name}</strong>
        {way}.
        {rights === undefined && " You may do everything that this server does."}
      </p>
      <dl class="rights">
        {rights !== undefined && factsOf(rights).map(drawFact)}
        {scopes !== undefined && drawFact(["Scopes", scopes])}
      </dl>
    </>
  );
}

type Fact = readonly [right: string, values: readonly string[]];

function drawFact([right, values]: Fact): VNode {
  return (
    <div key={right}>
      <dt>{right}</dt>
      <dd>
        {values.length === 0 ? "none" : values.map((value) => <code key={value}>{value}</code>)}
      </dd>
    </div>
  );
}

function factsOf(rights: Rights): readonly Fact[] {
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

const POLL_MS = 5_000;
const COLUMNS = ["Caller", "Last call", "Rights"];

/** The callers that the operator names, and those of the last calls; nothing for who is no admin. */
const CallerTable = defineComponent(() => {
  const known = shallowRef<readonly Me[]>();
  const ended = shallowRef<readonly EndedCallRecord[]>([]);
  const lastCalls = computed(() => {
    const latest = new Map<string, EndedCallRecord>();
    for (const call of ended.value) if (!latest.has(call.caller)) latest.set(call.caller, call);
    return latest;
  });
  const others = computed(() => {
    const names = new Set(known.value?.map(({ name }) => name));
    return [...lastCalls.value.keys()].filter((name) => !names.has(name));
  });

  usePolling(async () => {
    known.value = await server.callers().then(({ data }) => data.callers, () => undefined);
    if (known.value !== undefined) ended.value = (await calls.history()).data.calls;
  }, POLL_MS);

  const drawRow = (name: string, rights: VNode | string) => {
    const call = lastCalls.value.get(name);
    return (
      <tr key={name}>
        <td class="name">{name}</td>
        <td data-label="last call">
          {call === undefined ? "none" : `${call.tool}, ${timeText(call.startedAt)}`}
        </td>
        <td>{rights}</td>
      </tr>
    );
  };

  return () =>
    known.value !== undefined && (
      <section aria-label="Callers">
        <header class="part-head">
          <h2>Callers</h2>
        </header>
        <CardTable columns={COLUMNS}>
          {known.value.map(({ name, rights }) => drawRow(name, drawRights(rights)))}
          {others.value.map((name) => drawRow(name, "those of its token"))}
        </CardTable>
      </section>
    );
}, { name: "CallerTable" });

function drawRights(rights: Rights | undefined): VNode | string {
  if (rights === undefined) return "everything";
  const { tools, admin } = rights;
  return (
    <details>
      <summary>{admin ? "an admin, " : ""}tools: {tools.join(", ") || "none"}</summary>
      <dl class="rights">{factsOf(rights).map(drawFact)}</dl>
    </details>
  );
}
