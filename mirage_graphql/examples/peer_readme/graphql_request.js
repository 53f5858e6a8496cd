/** Posts an operation, and resolves with the whole body, as the README prints it. */
export async function request(url, query, variables) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query, variables }),
  });
  return await response.json();
}
