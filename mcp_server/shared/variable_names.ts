/** Names of variables that shells can hold and export (POSIX.1-2024, 3.216). */
export const SHELL_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Variables that change what a shell or the dynamic linker does before a program runs, and those that
 * shells don't pass on unchanged.
 */
export const SHELLS_OWN =
  /^(LD_.*|BASH.*|SHELLOPTS|POSIXLY_CORRECT|PS4|ENV|IFS|OPTIND|PPID|E?UID|GLIBC_TUNABLES)$/;

/** Shells set these by themselves. */
export const SHELLS_FOLDERS = ["PWD", "OLDPWD"] as const;
