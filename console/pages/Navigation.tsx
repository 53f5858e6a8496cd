import { readonly, ref, type VNode, watchEffect } from "vue";
import { Icon, type IconName } from "../components/Icon.tsx";
import { useApprovals } from "../composables/use_approvals.ts";
import { hrefOf } from "../composables/use_route.ts";
import { session } from "../composables/use_session.ts";

/** The colors of the page; `auto` are those of the system. */
type Theme = "auto" | "light" | "dark";

const THEMES: readonly Theme[] = ["auto", "light", "dark"];
const KEY = "trestle.theme";

const theme = ref<Theme>(THEMES.find((one) => one === localStorage.getItem(KEY)) ?? "auto");

watchEffect(() => {
  document.documentElement.dataset.theme = theme.value;
});

/** The chosen theme, also next time. */
const themeChoice = {
  theme: readonly(theme),
  /** Chooses the next one. */
  next(): void {
    theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "auto";
    localStorage.setItem(KEY, theme.value);
  },
};

const PAGES = [
  ["", "Overview", "overview"],
  ["tools", "Tools", "tools"],
  ["calls", "Calls", "calls"],
  ["approvals", "Approvals", "approvals"],
  ["jobs", "Jobs", "jobs"],
  ["servers", "Servers", "servers"],
  ["health", "Health", "health"],
  ["access", "Access", "access"],
] as const satisfies readonly (readonly [page: string, title: string, icon: IconName])[];

const THEME_ICONS = { auto: "auto", light: "sun", dark: "moon" } as const;

interface NavigationProps {
  /** The page that is shown. */
  readonly page: string;
  /** Whether there are servers to show. */
  readonly hasFleet: boolean;
}

/** The pages of the console, and who uses it. */
export function Navigation({ page, hasFleet }: NavigationProps): VNode {
  const theme = themeChoice.theme.value;
  const { list, count } = useApprovals();
  const isHidden: Readonly<Record<string, boolean>> = {
    servers: !hasFleet,
    approvals: list.value === undefined,
  };
  return (
    <nav aria-label="Console">
      <a class="brand" href={hrefOf()}>Trestle</a>
      <ul>
        {PAGES.filter(([name]) => isHidden[name] !== true).map(([name, title, icon]) => (
          <li key={name}>
            <a
              href={hrefOf(...(name === "" ? [] : [name]))}
              aria-current={name === page ? "page" : undefined}
            >
              <Icon name={icon} /> {title}
              {name === "approvals" && count.value > 0 && (
                <span class="tag" aria-label={`${count.value} wait`}>{count.value}</span>
              )}
            </a>
          </li>
        ))}
      </ul>
      <div class="caller">
        {session.me.value !== undefined && <span class="name">{session.me.value.name}</span>}
        <button
          type="button"
          class="quiet"
          aria-label={`Colors: ${theme}`}
          title={`Colors: ${theme}`}
          onClick={themeChoice.next}
        >
          <Icon name={THEME_ICONS[theme]} />
        </button>
        {session.hasToken.value && (
          <button
            type="button"
            class="quiet"
            onClick={() => session.logOut()}
          >
            Log out
          </button>
        )}
      </div>
    </nav>
  );
}
