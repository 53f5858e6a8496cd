/** Variables whose values are secrets of the server. */
const SECRET_NAME =
  /^(MCP_TOKEN|MCP_DATABASE_.+|MCP_.*PASSW.*|DATABASE_URL|PGPASSWORD)$|PASSPHRASE/;

/** Collects the secret values of an environment, and the passwords inside its URLs. */
export function secretsOf(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env)
    .filter(([name, value]) => SECRET_NAME.test(name) && value !== "")
    .flatMap(([name, value]) =>
      name === "MCP_TOKEN"
        ? value.split(",").map((token) => token.trim())
        : [value, ...password(value)]
    );
}

function password(value: string): string[] {
  const found = URL.parse(value)?.password ?? "";
  return found === "" ? [] : [found, decoded(found)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
