/** Of one answer, be it a result or a stream of them. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Nothing to read: such an answer cannot be made with a body. */
const WITHOUT_BODY = [101, 103, 204, 205, 304];

/** As fetch, but an answer that has no end is cut off, and whoever reads it hears why. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const answer = await fetch(url, init);
  if (answer.body === null || WITHOUT_BODY.includes(answer.status)) return answer;
  let bytes = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) controller.error(new Error("the server sent an answer of more than 64 MB"));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = answer;
  return new Response(answer.body.pipeThrough(counting), { status, statusText, headers });
}
