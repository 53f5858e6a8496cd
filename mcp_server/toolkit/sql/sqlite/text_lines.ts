/** Turns bytes into lines of text, without their ends. */
export class TextLineStream {
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<Uint8Array<ArrayBuffer>>;

  constructor() {
    const parts: string[] = [];
    const decoder = new TextDecoder();
    const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, string>({
      transform(chunk, controller) {
        const [first = "", ...others] = decoder.decode(chunk, { stream: true }).split("\n");
        parts.push(first);
        for (const part of others) {
          controller.enqueue(parts.splice(0).join(""));
          parts.push(part);
        }
      },
    });
    this.readable = readable;
    this.writable = writable;
  }
}
