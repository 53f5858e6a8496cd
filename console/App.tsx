import { defineComponent, nextTick, onScopeDispose, ref, type VNode, watch } from "vue";
import { connection, useConnectionProbe } from "./composables/use_connection.ts";
import { forgetDrafts } from "./composables/use_draft.ts";
import { useApprovalPolling } from "./composables/use_approvals.ts";
import { forgetRuns } from "./composables/use_recent_runs.ts";
import { useFleet } from "./composables/use_fleet.ts";
import { overlays, useKeys } from "./composables/use_keys.ts";
import { route, useDocumentTitle } from "./composables/use_route.ts";
import { login } from "./composables/use_login.ts";
import { session } from "./composables/use_session.ts";
import { endToolRuns } from "./composables/use_tool_run.ts";
import { AccessPage } from "./pages/AccessPage.tsx";
import { ApprovalsPage } from "./pages/ApprovalsPage.tsx";
import { CallsPage } from "./pages/CallsPage.tsx";
import { HealthPage } from "./pages/HealthPage.tsx";
import { JobPage } from "./pages/JobPage.tsx";
import { JobsPage } from "./pages/JobsPage.tsx";
import { LoginPage } from "./pages/LoginPage.tsx";
import { Navigation } from "./pages/Navigation.tsx";
import { OverviewPage } from "./pages/OverviewPage.tsx";
import { KeysHelp, Palette } from "./pages/Palette.tsx";
import { ServersPage } from "./pages/ServersPage.tsx";
import { ToolsPage } from "./pages/ToolsPage.tsx";

/** The whole console: the login, and behind it one page at a time. */
export const App = defineComponent(() => {
  const fleet = useFleet();
  useConnectionProbe();
  useApprovalPolling();
  useKeys();
  useDocumentTitle(() => session.state.value === "open" ? route.value.slice(0, 2) : []);
  void login.resume();

  watch(connection.returns, () => {
    if (session.state.value === "open") void session.refresh().catch(() => {});
    else void session.resume();
  });
  watch(route, () => void nextTick(focusContent));
  watch(session.state, (state, before) => {
    if (before === "closed") void nextTick(focusContent);
    if (state === "open") return void fleet.load();
    login.end();
    endToolRuns();
    forgetDrafts();
    forgetRuns();
  });

  /** A server that names none has no page for them; one whose store is away does. */
  const hasServers = () =>
    fleet.servers.value !== undefined || fleet.problem.value?.code === "JOBS_UNAVAILABLE";

  return () => (
    <>
      <AwayBanner />
      {session.state.value === "closed" && <LoginPage />}
      {session.state.value === "open" && (
        <div class="shell">
          <a class="skip" href="#content" onClick={skip}>Skip to content</a>
          <Navigation
            page={route.value[0] ?? ""}
            hasFleet={hasServers()}
          />
          <main id="content" tabindex={-1}>{drawPage(route.value)}</main>
          {overlays.shown.value === "palette" && <Palette />}
          {overlays.shown.value === "keys" && <KeysHelp />}
        </div>
      )}
    </>
  );
}, { name: "App" });

function drawPage([page = "", detail]: readonly string[]): VNode {
  switch (page) {
    case "":
      return <OverviewPage />;
    case "calls":
      return <CallsPage />;
    case "approvals":
      return <ApprovalsPage />;
    case "jobs":
      return detail === undefined ? <JobsPage /> : <JobPage key={detail} id={detail} />;
    case "servers":
      return <ServersPage />;
    case "health":
      return <HealthPage />;
    case "access":
      return <AccessPage />;
    default:
      return <ToolsPage name={page === "tools" ? detail : undefined} />;
  }
}

/** The address names the page, so the link must not change it. */
function skip(event: Event): void {
  event.preventDefault();
  focusContent();
}

/** Lets the keyboard continue in what has just been opened. */
function focusContent(): void {
  const detail = document.querySelector<HTMLElement>(".split.has-detail > .detail");
  (detail ?? document.getElementById("content"))?.focus();
}

const SHOWN_MS = 4_000;

/** Says when the server is away, and when it is back. */
const AwayBanner = defineComponent(() => {
  const isBack = ref(false);
  let timer: ReturnType<typeof setTimeout> | undefined;

  watch(connection.returns, () => {
    isBack.value = true;
    clearTimeout(timer);
    timer = setTimeout(() => isBack.value = false, SHOWN_MS);
  });
  onScopeDispose(() => clearTimeout(timer));

  return () => (
    <div class="banner" role="status">
      {connection.isAway.value
        ? <p class="away">The server does not answer. Trying again until it does.</p>
        : isBack.value
        ? <p class="back-again">The server is back.</p>
        : null}
    </div>
  );
}, { name: "AwayBanner" });
