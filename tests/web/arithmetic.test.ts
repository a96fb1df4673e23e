/**
 * Everything the page shows is an answer of the core, which the command line gives, too. What views
 * still reckon with numbers of answers is listed here, with what it is for. Numbers are followed by
 * their type (`Answered`), and through variables, parameters, properties and what functions give,
 * where these are of the type `number`; not through objects of other types, as the steps and marks
 * that plots draw.
 */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  isArrowFunction,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isFunctionDeclaration,
  isIdentifier,
  isJsxAttribute,
  isJsxExpression,
  isJsxOpeningElement,
  isJsxSelfClosingElement,
  isObjectBindingPattern,
  isParenthesizedExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isReturnStatement,
  isSourceFile,
  isSpreadElement,
  isVariableDeclaration,
  isVariableStatement,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { API, NodeBuilderFlags, type Project, SymbolFlags } from 'typescript/unstable/sync';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

const arithmetic = new Set([
  SyntaxKind.PlusToken,
  SyntaxKind.MinusToken,
  SyntaxKind.AsteriskToken,
  SyntaxKind.SlashToken,
  SyntaxKind.PercentToken,
  SyntaxKind.AsteriskAsteriskToken,
  SyntaxKind.PlusEqualsToken,
  SyntaxKind.MinusEqualsToken,
  SyntaxKind.AsteriskEqualsToken,
  SyntaxKind.SlashEqualsToken,
]);

/** Functions of `plot/numbers.ts` that make others of numbers. */
const reductions = new Set(['largest', 'quantile', 'map']);

/** Each node below `node`, itself first. */
function* below(node: Node): Generator<Node> {
  yield node;
  const children: Node[] = [];
  node.forEachChild((child) => {
    children.push(child);
  });
  for (const child of children) yield* below(child);
}

/** What a value is chosen from: both sides of `a ?? b` and `is ? a : b`, the list of `at(list, i)`. */
function* choices(node: Node): Generator<Node> {
  if (isParenthesizedExpression(node) || isSpreadElement(node)) yield* choices(node.expression);
  else if (isConditionalExpression(node)) {
    yield* choices(node.whenTrue);
    yield* choices(node.whenFalse);
  } else if (
    isBinaryExpression(node) &&
    [SyntaxKind.QuestionQuestionToken, SyntaxKind.BarBarToken].includes(node.operatorToken.kind)
  ) {
    yield* choices(node.left);
    yield* choices(node.right);
  } else if (isCallExpression(node) && node.expression.getText() === 'at' && node.arguments[0])
    yield* choices(node.arguments[0]);
  else yield node;
}

/** What a function gives; nothing where `node` is none. */
function* returnsOf(node: Node): Generator<Node> {
  if (!(isArrowFunction(node) || isFunctionDeclaration(node)) || !node.body) return;
  if (!isBlock(node.body)) yield node.body;
  else
    for (const one of below(node.body))
      if (isReturnStatement(one) && one.expression) yield one.expression;
}

/** What `node` reckons with, where it does. */
function operandsOf(node: Node): Node[] {
  if (isBinaryExpression(node) && arithmetic.has(node.operatorToken.kind))
    return [node.left, node.right];
  if (isPrefixUnaryExpression(node) && node.operator === SyntaxKind.MinusToken)
    return [node.operand];
  if (!isCallExpression(node)) return [];
  const called = node.expression;
  if (isIdentifier(called)) return reductions.has(called.text) ? [...node.arguments] : [];
  if (!isPropertyAccessExpression(called)) return [];
  if (called.name.text === 'reduce') return [called.expression];
  return called.expression.getText() === 'Math' ? [...node.arguments] : [];
}

/** The function or constant of a file that `node` is in. */
function placeOf(node: Node): string {
  let top = node;
  while (!isSourceFile(top.parent)) top = top.parent;
  if (isFunctionDeclaration(top)) return top.name?.text ?? '';
  return isVariableStatement(top)
    ? (top.declarationList.declarations[0]?.name.getText() ?? '')
    : '';
}

type Checker = Project['checker'];

/** The parameters of a function, by its name; the members of its first one, where that is taken apart. */
interface Parameters {
  names: Node[];
  members: Map<string, Node>;
}

/** Where a value comes to be called something else. */
interface Flow {
  from: Node;
  to: Node;
}

/** Follows numbers of answers: by their type, and where that says `number` by name. */
class Follower {
  readonly #checker: Checker;
  readonly #types = new Map<number, boolean>();
  readonly #aliases = new Map<number, number>();
  readonly #functions = new Map<number, Parameters>();
  /** variables and parameters that are numbers of answers, whatever their type says */
  readonly #answered = new Set<number>();

  constructor(checker: Checker, nodes: readonly Node[]) {
    this.#checker = checker;
    for (const node of nodes) this.#learn(node);
    const flows = nodes.flatMap((node) => [...this.#flowsAt(node)]);
    for (let known = -1; known < this.#answered.size; ) {
      known = this.#answered.size;
      for (const { from, to } of flows) {
        const symbol = this.#symbolOf(to);
        if (symbol !== undefined && !this.#answered.has(symbol) && this.isAnswered(from))
          this.#answered.add(symbol);
      }
    }
  }

  /** Whether `node` is a number of an answer, or holds some. */
  isAnswered(node: Node): boolean {
    for (const choice of choices(node)) {
      if (this.#isOfAnswer(choice)) return true;
      const named = isCallExpression(choice) ? choice.expression : choice;
      const symbol = isIdentifier(named) ? this.#symbolOf(named) : undefined;
      if (symbol !== undefined && this.#answered.has(symbol)) return true;
    }
    return false;
  }

  isNumber(node: Node): boolean {
    const type = this.#checker.getTypeAtLocation(node);
    return type !== undefined && this.#checker.typeToString(type) === 'number';
  }

  #isOfAnswer(node: Node): boolean {
    const type = this.#checker.getTypeAtLocation(node);
    if (!type) return false;
    let is = this.#types.get(type.id);
    if (is === undefined) {
      const text = this.#checker.typeToString(type, undefined, NodeBuilderFlags.NoTruncation);
      is = /\bAnswered(Numbers)?\b/.test(text);
      this.#types.set(type.id, is);
    }
    return is;
  }

  #symbolOf(node: Node): number | undefined {
    const symbol = this.#checker.getSymbolAtLocation(node);
    if (!symbol || !(symbol.flags & SymbolFlags.Alias)) return symbol?.id;
    const known = this.#aliases.get(symbol.id);
    if (known !== undefined) return known;
    const { id } = this.#checker.getAliasedSymbol(symbol);
    this.#aliases.set(symbol.id, id);
    return id;
  }

  #learn(node: Node): void {
    const of = isVariableDeclaration(node) ? node.initializer : node;
    if (!of || !(isArrowFunction(of) || isFunctionDeclaration(of))) return;
    const name = isVariableDeclaration(node) || isFunctionDeclaration(node) ? node.name : undefined;
    const symbol = name && this.#symbolOf(name);
    if (symbol === undefined) return;
    const names = of.parameters.map((parameter) => parameter.name);
    const [first] = names;
    const members =
      first && isObjectBindingPattern(first)
        ? first.elements.map(({ propertyName, name }): [string, Node] => [
            (propertyName ?? name)?.getText() ?? '',
            name ?? first,
          ])
        : [];
    this.#functions.set(symbol, { names, members: new Map(members) });
  }

  *#flowsAt(node: Node): Generator<Flow> {
    if (isVariableDeclaration(node) && node.initializer && isIdentifier(node.name)) {
      yield { from: node.initializer, to: node.name };
      for (const from of returnsOf(node.initializer)) yield { from, to: node.name };
    }
    if (isFunctionDeclaration(node) && node.name) {
      for (const from of returnsOf(node)) yield { from, to: node.name };
    }
    if (isCallExpression(node) && isIdentifier(node.expression)) {
      const names = this.#functions.get(this.#symbolOf(node.expression) ?? -1)?.names ?? [];
      for (const [place, to] of names.entries()) {
        const from = node.arguments[place];
        if (from && isIdentifier(to)) yield { from, to };
      }
    }
    if (isJsxSelfClosingElement(node) || isJsxOpeningElement(node)) {
      const members = this.#functions.get(this.#symbolOf(node.tagName) ?? -1)?.members;
      for (const attribute of members ? node.attributes.properties : []) {
        if (!isJsxAttribute(attribute)) continue;
        const given = attribute.initializer;
        const from = given && isJsxExpression(given) ? given.expression : undefined;
        const to = members?.get(attribute.name.getText());
        if (from && to) yield { from, to };
      }
    }
  }
}

/** "views/x/Panel.tsx Panel" → what is reckoned there. */
function found(): Map<string, string[]> {
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [`${root}tsconfig.json`] });
    const project = snapshot.getProjects()[0];
    if (!project) throw new Error('tsconfig.json is no project');
    const files = project.program
      .getSourceFileNames()
      .map((name) => relative(`${root}web`, name).replaceAll('\\', '/'))
      .filter((name) => /^(views|domain)\//.test(name))
      .sort();
    expect(files.length).toBeGreaterThan(100);
    const sources = files.map((name) => {
      const source = project.program.getSourceFile(`${root}web/${name}`);
      if (!source) throw new Error(`${name} is not in the program`);
      return { name, nodes: [...below(source)] };
    });
    const follower = new Follower(
      project.checker,
      sources.flatMap(({ nodes }) => nodes),
    );
    const result = new Map<string, string[]>();
    for (const { name, nodes } of sources) {
      for (const node of nodes) {
        if (!operandsOf(node).some((one) => follower.isAnswered(one))) continue;
        if (isBinaryExpression(node) && !follower.isNumber(node)) continue;
        const place = `${name} ${placeOf(node)}`;
        result.set(place, [...(result.get(place) ?? []), node.getText()]);
      }
    }
    return result;
  } finally {
    api.close();
  }
}

/** What is reckoned for the screen alone: file, function, how many operations. */
const allowed: Record<string, readonly string[]> = {
  'where marks stand and axes end': [
    'views/summary/ExecutionsProof.tsx ExecutionsPanel 1',
    'views/access/LoadPanel.tsx LoadPanel 3',
    'views/common/WhyTable.tsx columns 1',
    'domain/stack.ts stackOf 1',
    'views/compare/ExplainedPanel.tsx placed 1',
    'views/compare/StepsPanel.tsx pictureOf 2',
    'views/compare/StepsPanel.tsx rowOf 10',
    'views/history/SeriesPlot.tsx LevelMark 10',
    'views/compare/PairsPanel.tsx PairFacts 1',
    'views/fine/OverRunPanel.tsx layersOf 6',
    'views/flame/OwnFunctions.tsx OwnFunction 2',
    'views/flame/OwnFunctions.tsx OwnFunctions 1',
    'views/scaling/ScalingView.tsx Plot 2',
    'views/scaling/RatePanel.tsx RatePanel 1',
    'views/scaling/RatePanel.tsx Rates 4',
    'views/summary/CoreTimeBoxes.tsx PartBox 3',
    'views/summary/CoreTimeIcicle.tsx CoreTimeIcicle 4',
    'views/summary/CoreTimeWords.tsx Narrow 1',
    'views/summary/CoreTimeWords.tsx PartList 5',
    'views/summary/FindingRow.tsx Saving 1',
    'views/summary/FindingsPanel.tsx FindingsPanel 1',
    'views/summary/SummaryView.tsx HeadlineTile 1',
    'views/timelines/PhaseStrip.tsx PhaseStrip 1',
    'views/timelines/SpreadPlot.tsx SpreadPlot 1',
    'views/timelines/WorkerRows.tsx marksOfRow 2',
    'views/timelines/WorkerTrack.tsx spreadOf 1',
  ],
  'which of a few colours a mark has; the order of columns': [
    'views/chunks/SectionMatrixPanel.tsx SectionMatrixPanel 2',
    'views/compare/changeColours.ts changeLevel 1',
    'views/compare/MatrixPanel.tsx levelOf 2',
    'views/compare/MatrixPanel.tsx Matrix 1',
    'views/timelines/chunkBars.ts coloured 2',
  ],
  'the order of rows': [
    'domain/datasetColours.ts datasetColours 1',
    'views/chunks/SectionsPanel.tsx SectionsPanel 1',
    'views/compare/ExplainedPanel.tsx ExplainedPanel 1',
    'views/compare/MatrixPanel.tsx sectionsOf 1',
    'domain/runHistory.ts changesOf 3',
    'views/flame/OwnFunctions.tsx useOwnFunctions 1',
    'views/timelines/RangePanel.tsx RangePanel 1',
    'views/timelines/workerColumns.tsx workerColumns 1',
  ],
  'the unit in which a number is shown': [
    'views/common/WhatIfRows.tsx scenarioRow 1',
    'domain/facts.ts factParts 2',
    'views/timelines/MachineTracks.tsx trackOf 1',
    'views/summary/MomentsProof.tsx MomentsPanel 1',
    'views/compare/changes.ts deltaText 1',
    'views/timelines/TimelinesHead.tsx CursorText 1',
    'views/timelines/WorkerTrack.tsx WorkerTrack 1',
    'views/timelines/timeText.ts momentText 1',
  ],
  'how a number is said: rounded, from 1 on, a ratio as a change, a rate for a time per event': [
    'views/chunks/ScatterPanel.tsx fitLines 1',
    'views/chunks/SizesPanel.tsx SizeFacts 1',
    'views/compare/ExplainedPanel.tsx isSeen 1',
    'views/compare/changes.ts relativeText 2',
    'domain/prediction.ts halfWidth 2',
    'views/scaling/study.ts coresText 2',
    'views/timelines/ChunkTooltip.tsx ChunkTooltip 1',
    'views/timelines/HeatPlot.tsx HeatPlot 1',
  ],
  'what is asked for, as a step from what was; what a saving leaves of the elapsed time': [
    'views/chunks/TailPanel.tsx TailPanel 2',
    'views/common/WhatIfRows.tsx atMostTwice 2',
  ],
  'events of a file under all the paths that it was processed by; attempts that failed alike': [
    'views/summary/ProofPanel.tsx barsOf 1',
  ],
};

it('views reckon with answers for the screen alone', () => {
  const known = new Set(Object.values(allowed).flat());
  const there = [...found()].map(([place, texts]) => ({
    entry: `${place} ${texts.length}`,
    texts: texts.map((text) => text.replace(/\s+/g, ' ')),
  }));
  const isNew = there.filter(({ entry }) => !known.has(entry));
  expect(isNew, 'make it an answer of the core, or say above what it is for').toEqual([]);
  const entries = new Set(there.map(({ entry }) => entry));
  expect(
    [...known].filter((entry) => !entries.has(entry)),
    'nothing of this is left',
  ).toEqual([]);
});
