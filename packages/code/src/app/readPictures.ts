import { ImageError, type Agent, type ImageBlock } from "wave-agent-sdk";
import { pictureMentions } from "../input/pictures.ts";

/**
 * The pictures that a prompt names; undefined when it names none. A name that leads nowhere stays a name, and the person hears of it. Rejects with ImageError for a
 * picture that cannot be shown: then the prompt is not sent.
 */
export function readPictures(
  text: string,
  agent: Pick<Agent, "readImage">,
  notice: (text: string) => void,
): Promise<ImageBlock[]> | undefined {
  const paths = [...new Set(pictureMentions(text).map(({ path }) => path))];
  return paths.length === 0 ? undefined : readAll(paths, agent, notice);
}

async function readAll(
  paths: readonly string[],
  agent: Pick<Agent, "readImage">,
  notice: (text: string) => void,
): Promise<ImageBlock[]> {
  const images: ImageBlock[] = [];
  for (const path of paths) {
    try {
      images.push(await agent.readImage(path));
    } catch (error) {
      if (!(error instanceof ImageError) || error.kind !== "missing") throw error;
      notice(`${error.message} The name is sent, and no picture.`);
    }
  }
  return images;
}
