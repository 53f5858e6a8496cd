/** The algorithms of a connection by the purpose for which ssh2 takes them. */
export interface Algorithms {
  readonly kex?: readonly string[];
  readonly cipher?: readonly string[];
  readonly hmac?: readonly string[];
  readonly serverHostKey?: readonly string[];
}

/** What ssh2 1.17 implements; it rejects a list with any other name. */
export const SUPPORTED_ALGORITHMS: Readonly<Record<keyof Algorithms, readonly string[]>> = {
  kex: [
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",
    "ecdh-sha2-nistp384",
    "ecdh-sha2-nistp521",
    "diffie-hellman-group-exchange-sha256",
    "diffie-hellman-group14-sha256",
    "diffie-hellman-group15-sha512",
    "diffie-hellman-group16-sha512",
    "diffie-hellman-group17-sha512",
    "diffie-hellman-group18-sha512",
    "diffie-hellman-group-exchange-sha1",
    "diffie-hellman-group14-sha1",
    "diffie-hellman-group1-sha1",
  ],
  cipher: [
    "chacha20-poly1305@openssh.com",
    "aes128-gcm@openssh.com",
    "aes256-gcm@openssh.com",
    "aes128-ctr",
    "aes192-ctr",
    "aes256-ctr",
    "aes128-cbc",
    "aes256-cbc",
    "3des-cbc",
  ],
  hmac: [
    "hmac-sha2-256-etm@openssh.com",
    "hmac-sha2-512-etm@openssh.com",
    "hmac-sha1-etm@openssh.com",
    "hmac-sha2-256",
    "hmac-sha2-512",
    "hmac-sha1",
    "hmac-md5",
    "hmac-md5-96",
    "hmac-sha1-96",
    "hmac-ripemd160",
  ],
  serverHostKey: [
    "ssh-ed25519",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "rsa-sha2-512",
    "rsa-sha2-256",
    "ssh-rsa",
    "ssh-dss",
  ],
};

/** The algorithms of a list that ssh2 implements, in the same order. */
export function supportedAlgorithms(purpose: keyof Algorithms, names: readonly string[]): string[] {
  return names.filter((name) => SUPPORTED_ALGORITHMS[purpose].includes(name));
}
