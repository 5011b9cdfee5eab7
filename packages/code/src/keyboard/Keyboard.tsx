import { useApp, useInput, usePaste } from "ink";
import {
  createContext,
  use,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from "react";
import type { CoverName } from "./covers.ts";
import { AT_REST, type Cover, type DraftKeys, type KeyRouter, type Listening } from "./keyRouter.ts";

interface Keys {
  router: KeyRouter;
  /** Calls it when the terminal has what was drawn last. */
  whenDrawn: (then: () => void) => void;
}

const KeysContext = createContext<Keys | undefined>(undefined);
const HiddenContext = createContext(false);

/**
 * Listens to the keyboard, alone and as long as there is a screen: where one listener goes and another comes, Ink forgets what
 * it has read of a sequence, and the rest of a long paste would arrive as keys.
 */
export function Keyboard(props: {
  router: KeyRouter;
  whenDrawn?: Keys["whenDrawn"];
  children?: ReactNode;
}): ReactNode {
  const { router, children } = props;
  const { waitUntilRenderFlush } = useApp();
  useInput((input, key) => router.typed({ by: "key", input, key }));
  usePaste((text) => router.typed({ by: "paste", text }));
  const [keys] = useState<Keys>(() => ({
    router,
    whenDrawn: props.whenDrawn ?? ((then) => void waitUntilRenderFlush().then(then)),
  }));
  return <KeysContext value={keys}>{children}</KeysContext>;
}

/** What is in it is not on the screen: it cannot have been read. */
export function Hidden({ isHidden, children }: { isHidden: boolean; children: ReactNode }): ReactNode {
  return <HiddenContext value={isHidden}>{children}</HiddenContext>;
}

export interface CoverKeys extends Omit<Cover, "onKey"> {
  name: CoverName;
  /** Nothing of it counts as seen; keys go to the draft. */
  isDeaf?: boolean;
  onKey: Cover["onKey"];
}

/** Takes the keys in the place of the prompt while it is drawn. The only way to get any. */
export function useCover(given: CoverKeys): Pick<KeyRouter, "toDraft" | "refused"> & { asks: string } {
  const { router, whenDrawn } = useKeys("useCover");
  const isHidden = use(HiddenContext);
  const [place] = useState(() => ({}));
  const cover: Cover = {
    asks: asksOf(given, given.asks),
    came: given.came,
    waitsFor: `${given.name} ${given.waitsFor ?? ""}`,
    onKey: useLatest((typed, may) => {
      const asks = given.onKey(typed, may);
      return asks === undefined ? undefined : asksOf(given, asks);
    }),
    onEarly: useLatest((typed) => given.onEarly?.(typed) ?? false),
    ...(given.onCancel ? { onCancel: given.onCancel } : {}),
  };
  const isUnseen = isHidden || given.isDeaf === true;
  const drawing = useRef({ asks: "", isUnseen });
  drawing.current.isUnseen = isUnseen;
  const { asks } = cover;
  // After every drawing: several keys may have changed what is asked since the last one, and changed it back.
  useLayoutEffect(() => {
    router.cover(place, cover);
    if (isUnseen || drawing.current.asks === asks || !router.isUndrawn(place)) return;
    drawing.current.asks = asks;
    whenDrawn(() => {
      drawing.current.asks = "";
      if (!drawing.current.isUnseen) router.drawn(place, asks);
    });
  });
  useLayoutEffect(() => () => router.uncover(place), [router, place]);
  return { toDraft: (typed) => router.toDraft(typed), refused: () => router.refused(), asks };
}

const asksOf = ({ name, isDeaf = false }: CoverKeys, asks: string) =>
  `${name} ${asks}${isDeaf ? " deaf" : ""}`;

/** The keys of the prompt: those that nothing else takes. */
export function useDraftKeys({ onKey, onReplay }: DraftKeys): void {
  const { router } = useKeys("useDraftKeys");
  const draft = { onKey: useLatest(onKey), onReplay: useLatest(onReplay) };
  const own = useEffectEvent(() => router.ownDraft(draft));
  useEffect(() => own(), [router]);
}

/** For what a text in a question becomes that nobody asks any more. */
export const useToDraft = (): KeyRouter["toDraft"] => {
  const { router } = useKeys("useToDraft");
  return (typed) => router.toDraft(typed);
};

/** Whether keys answer what covers the prompt. `asks`: of `useCover`. */
export function useListening(asks: string): Listening {
  const keys = use(KeysContext);
  const now = useSyncExternalStore(keys?.router.subscribe ?? never, keys?.router.listening ?? always);
  // Something new is drawn once before the keyboard hears of it: what was there before may have listened.
  return keys === undefined || now.asks === asks ? now : AT_REST;
}

const never = () => () => {};
const LISTENS: Listening = { listens: true, says: undefined, asks: undefined };
const always = () => LISTENS;

function useKeys(who: string): Keys {
  const keys = use(KeysContext);
  if (!keys) throw new Error(`${who} needs a <Keyboard> above it`);
  return keys;
}

/** The same function for ever, which does what the newest one does: keys can come between two drawings. */
function useLatest<Args extends unknown[], Result>(
  run: (...args: Args) => Result,
): (...args: Args) => Result {
  const latest = useRef(run);
  latest.current = run;
  const [stable] = useState(
    () =>
      (...args: Args) =>
        latest.current(...args),
  );
  return stable;
}
