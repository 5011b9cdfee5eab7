import { describe, expect, it } from "vitest";
import { readingEnvironment } from "@/utils/environment.ts";

const isKept = (name: string, value: string) => readingEnvironment({ [name]: value })[name] === value;

describe("the environment of a command that nobody said yes to", () => {
  it.each([
    ["PGPASSWORD", "hunter22"],
    ["SSHPASS", "hunter22"],
    ["MY_PASS", "hunter22"],
    ["GH_PAT", "abc"],
    ["BEARER", "abc"],
    ["JWT", "abc"],
    ["COOKIE", "abc"],
    ["LDAP_BINDPW", "abc"],
    ["JIRA_LOGIN", "abc"],
    ["SENTRY_DSN", "https://abc@sentry.example/1"],
    ["A", "https://abc@sentry.example/1"],
    ["SLACK", "https://hooks.slack.com/services/T0/B0/x"],
    ["AZURE", "DefaultEndpointsProtocol=https;AccountKey=abc"],
    ["DB_CONN", "Server=x;User=y"],
    ["B", "Server=x;Password=abc"],
    ["X", "ghp_0123456789abcdefghij0123456789abcdef"],
    ["Y", "sk-ant-api03-0123456789"],
    ["Z", "q7Hd82kQpz61LmwT09xY"],
  ])("has no %s=%s (G33)", (name, value) => {
    expect(isKept(name, value)).toBe(false);
  });

  it.each([
    ["PWD", "/home/me/project"],
    ["OLDPWD", "/home/me"],
    ["HOME", "/home/me"],
    ["LANG", "de_DE.UTF-8"],
    ["NODE_ENV", "production"],
    ["TERM", "xterm-256color"],
    ["EDITOR", "code --wait"],
    ["NODE_VERSION", "24.21.0"],
    ["GOPATH", "/home/me/go"],
    ["CI", "true"],
    ["PATH", "/usr/local/bin:/usr/bin:/bin:/home/me/.nvm/versions/node/v24.21.0/bin"],
    ["HTTPS_PROXY", "http://proxy.example:3128"],
    ["LESS", "-R"],
    ["PLAIN", "kept"],
  ])("has %s=%s", (name, value) => {
    expect(isKept(name, value)).toBe(true);
  });
});
