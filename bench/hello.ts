// The smallest program that draws with Ink: what Wave's start is measured against.
import { render, Text } from "ink";
import { createElement } from "react";

render(createElement(Text, undefined, "hello"));
