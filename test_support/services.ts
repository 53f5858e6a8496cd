/** A program that some tests need, and how it gets on a machine. */
export interface Service {
  /** Name on PATH, or an absolute path. */
  readonly program: string;
  /** Debian's packages that bring it. */
  readonly packages: readonly string[];
}

/** Name of a row of the table. */
export type ServiceName =
  | "chromium"
  | "curl"
  | "dash"
  | "fish"
  | "logrotate"
  | "node"
  | "openssl"
  | "php"
  | "postgresql"
  | "python"
  | "sshd"
  | "sshfs"
  | "systemd"
  | "zsh";

/** Every program that tests need beyond Deno and Node; one that is missing is installed. */
export const SERVICES: Readonly<Record<ServiceName, Service>> = {
  chromium: { program: "chromium", packages: ["chromium"] },
  curl: { program: "curl", packages: ["curl"] },
  dash: { program: "dash", packages: ["dash"] },
  fish: { program: "fish", packages: ["fish"] },
  logrotate: { program: "/usr/sbin/logrotate", packages: ["logrotate"] },
  node: { program: "node", packages: ["nodejs"] },
  openssl: { program: "openssl", packages: ["openssl"] },
  php: { program: "php", packages: ["php-cli"] },
  postgresql: { program: "/usr/lib/postgresql/15/bin/postgres", packages: ["postgresql"] },
  python: { program: "python3", packages: ["python3"] },
  sshd: { program: "/usr/sbin/sshd", packages: ["openssh-server", "openssh-client"] },
  sshfs: { program: "sshfs", packages: ["sshfs", "fuse3"] },
  systemd: { program: "systemd-analyze", packages: ["systemd"] },
  zsh: { program: "zsh", packages: ["zsh"] },
};
