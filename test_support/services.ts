/** A program that some tests need, and how to install it. */
export interface Service {
  /** Name on PATH, or an absolute path. */
  readonly program: string;
  /** The Debian packages that contain it. */
  readonly packages: readonly string[];
  /** A program that also serves, if only it is there. @default {there is none} */
  readonly instead?: string;
}

/** Name of a row of the table. */
export type ServiceName =
  | "chromium"
  | "curl"
  | "dash"
  | "fish"
  | "ip"
  | "jq"
  | "logrotate"
  | "nginx"
  | "node"
  | "openssl"
  | "php"
  | "postgresql"
  | "prometheus"
  | "python"
  | "ripgrep"
  | "sshd"
  | "sshfs"
  | "sudo"
  | "systemd"
  | "tini"
  | "zsh";

/** Every program that tests need beyond Deno and Node; one that is missing is installed. */
export const SERVICES: Readonly<Record<ServiceName, Service>> = {
  chromium: {
    program: "chromium-headless-shell",
    packages: ["chromium-headless-shell"],
    instead: "chromium",
  },
  curl: { program: "curl", packages: ["curl"] },
  dash: { program: "dash", packages: ["dash"] },
  fish: { program: "fish", packages: ["fish"] },
  ip: { program: "/usr/sbin/ip", packages: ["iproute2"] },
  jq: { program: "jq", packages: ["jq"] },
  logrotate: { program: "/usr/sbin/logrotate", packages: ["logrotate"] },
  nginx: { program: "/usr/sbin/nginx", packages: ["nginx-light"] },
  node: { program: "node", packages: ["nodejs"] },
  openssl: { program: "openssl", packages: ["openssl"] },
  php: { program: "php", packages: ["php-cli"] },
  postgresql: { program: "/usr/lib/postgresql/15/bin/postgres", packages: ["postgresql"] },
  prometheus: { program: "promtool", packages: ["prometheus"] },
  python: { program: "python3", packages: ["python3"] },
  ripgrep: { program: "rg", packages: ["ripgrep"] },
  sshd: { program: "/usr/sbin/sshd", packages: ["openssh-server", "openssh-client"] },
  sshfs: { program: "sshfs", packages: ["sshfs", "fuse3"] },
  sudo: { program: "sudo", packages: ["sudo"] },
  systemd: { program: "systemd-analyze", packages: ["systemd"] },
  tini: { program: "tini", packages: ["tini"] },
  zsh: { program: "zsh", packages: ["zsh"] },
};

/** Whether a program is installed: by name in the folders of PATH, or by its absolute path. */
export function hasProgram(program: string, path: string = Deno.env.get("PATH") ?? ""): boolean {
  if (program.startsWith("/")) return isProgram(program);
  return path.split(":").some((folder) => folder !== "" && isProgram(`${folder}/${program}`));
}

function isProgram(path: string): boolean {
  try {
    const { isFile, mode } = Deno.statSync(path);
    return isFile && ((mode ?? 0) & 0o111) !== 0;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return false;
    }
    throw error;
  }
}

/**
 * Names a test that needs a program. If the program is missing, the test is skipped and its name
 * says why: `Deno.test({ ...requires("php", "php-script runs a script"), fn })`.
 */
export function requires(
  service: ServiceName,
  name: string,
  isThere: (program: string) => boolean = hasProgram,
): { name: string; ignore: boolean } {
  const { program, packages, instead = program } = SERVICES[service];
  if (isThere(program) || isThere(instead)) return { name, ignore: false };
  return { name: `${name} (needs ${program}: install ${packages.join(", ")})`, ignore: true };
}
