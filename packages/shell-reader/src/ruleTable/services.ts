import { row } from "./row.ts";

/** What looks at containers, clusters and services, and what brings the project's own ones up. */
export const SERVICES = [
  row("docker podman", {
    rules: [
      "ps|images|logs|inspect|version|info|stats|top|port|diff|history",
      "image|container|network|volume ls|list|inspect",
      "compose ps|logs|config|images|top|port",
      "compose up|build|pull|start|stop|restart|down",
    ],
    refuses: "-H --host --config --tlscacert --tlscert --tlskey --context --connection --url --identity",
    shortens: false,
    words: "any",
  }),
  row("docker-compose", {
    rules: ["ps|logs|config|images|top|port", "up|build|pull|start|stop|restart|down"],
    refuses: "-H --host --context --tlscacert --tlscert --tlskey",
    shortens: false,
    words: "any",
  }),
  row("kubectl", {
    rules: [
      "get|describe|logs|top|version|explain|api-resources|api-versions",
      "rollout status|history",
      "config current-context|get-contexts",
    ],
    refuses:
      "--kubeconfig -s --server --token --as --as-group --cache-dir --profile-output --raw --insecure-skip-tls-verify " +
      "--certificate-authority --client-certificate --client-key --tls-server-name --user --username --password",
    shortens: false,
    words: "any",
    never: /(^|[/,])secrets?([/.,]|$)/i,
  }),
  row("helm", {
    rules: ["list|ls|status|history|lint"],
    refuses:
      "--kubeconfig --kube-apiserver --kube-token --post-renderer --registry-config --repository-config --kube-ca-file",
    shortens: false,
  }),
  row("gh", {
    rules: [
      "pr list|view|status|diff|checks",
      "issue list|view|status",
      "run list|view|watch",
      "release|workflow|label list|view",
      "repo view|list",
      "search issues|prs|code|commits|repos",
      "auth status",
    ],
    refuses: "-w --web -t --show-token --hostname",
    shortens: false,
    words: "any",
  }),
  row("aws", {
    rules: [
      "/[a-z][a-z0-9-]*/ /(?:describe|list)-[a-z0-9-]+/",
      "s3 ls",
      "sts get-caller-identity",
      "logs tail|describe-log-groups",
    ],
    refuses: "--endpoint-url --ca-bundle --no-verify-ssl --cli-input-json --cli-input-yaml",
    shortens: false,
    words: "any",
    never: /^(fileb?:|https?:)/,
  }),
  row("terraform tofu", {
    rules: ["fmt|validate|plan|show|output|version|providers", "state list|show", "workspace list|show"],
    refuses:
      "--chdir --plugin-dir --state --state-out --backup --backend-config --generate-config-out --config --var-file --test-directory",
    dashes: "either",
    shortens: false,
  }),
  row("brew apt dpkg gem conda", {
    rules: ["list|info|search|show|outdated|-l|-L|-s"],
    refuses: "-o --option -c --config-file --admindir --root --instdir -e --eval-all --source",
    words: "any",
  }),
  // Beside an address of this machine only what sends a request and prints the answer.
  row("curl", {
    anything: true,
    options:
      "-s -S -f -i -I -v -k --silent --show-error --fail --include --head --verbose -H --header -m --max-time --connect-timeout " +
      "-w --write-out --compressed",
    values: "-H --header -w --write-out",
    texts: "-m --max-time --connect-timeout",
    words: "any",
  }),
];
