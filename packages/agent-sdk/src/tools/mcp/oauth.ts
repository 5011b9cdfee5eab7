import type { OAuthClientProvider } from "@modelcontextprotocol/client";
import type { McpLogins, StoredLogin } from "../../workspace/mcpLogins.ts";

/** The server wants to know who asks, and only a person can tell it. */
export class NeedsLogin extends Error {
  override readonly name = "NeedsLogin";
}

type Client = Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>;
type Tokens = Awaited<ReturnType<OAuthClientProvider["tokens"]>>;

type Discovery = Awaited<ReturnType<NonNullable<OAuthClientProvider["discoveryState"]>>>;

interface Wishes {
  /** Where a browser comes back to. */
  redirectUrl: string;
  /** Shows a person where to go. Absent: nobody is there, so it is an error. */
  show?: (address: URL) => void;
  state?: string;
}

/** What the protocol's client asks about a login. Tokens go from here to the server and to its private file, and nowhere else. */
export class Login implements OAuthClientProvider {
  readonly #logins: McpLogins;
  readonly #url: string;
  readonly #wishes: Wishes;
  #stored: StoredLogin;
  #verifier = "";

  constructor(logins: McpLogins, url: string, wishes: Wishes, stored: StoredLogin = {}) {
    this.#logins = logins;
    this.#url = url;
    this.#wishes = wishes;
    this.#stored = stored;
  }

  get redirectUrl(): string {
    return this.#wishes.redirectUrl;
  }

  get clientMetadata(): OAuthClientProvider["clientMetadata"] {
    return {
      client_name: "Wave",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "native",
    };
  }

  state(): string {
    return this.#wishes.state ?? "";
  }

  clientInformation(): Client {
    return this.#stored.client as Client;
  }

  saveClientInformation(client: NonNullable<Client>): void {
    this.#stored = { ...this.#stored, client: { ...client } };
  }

  tokens(): Tokens {
    return this.#stored.tokens as Tokens;
  }

  saveTokens(tokens: NonNullable<Tokens>): void {
    this.#stored = { ...this.#stored, tokens: { ...tokens } };
    this.#logins.write(this.#url, this.#stored);
  }

  discoveryState(): Discovery {
    return this.#stored.discovery as Discovery;
  }

  saveDiscoveryState(discovery: NonNullable<Discovery>): void {
    this.#stored = { ...this.#stored, discovery: { ...discovery } };
  }

  redirectToAuthorization(address: URL): void {
    if (!this.#wishes.show) throw new NeedsLogin("the login has ended");
    this.#wishes.show(address);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  invalidateCredentials(what: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    const { tokens: _tokens, ...rest } = this.#stored;
    if (what === "tokens") this.#stored = rest;
    if (what === "client" || what === "all") this.#stored = {};
  }
}
