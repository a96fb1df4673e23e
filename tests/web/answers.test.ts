import { effect } from '@preact/signals';
import { beforeEach, describe, expect, it } from 'vitest';
import { type AskOptions, CoreError, type Engine } from '../../web/engine/engine';
import type { QuestionName } from '../../web/engine/questions';
import { Table } from '../../web/engine/table';
import {
  type Answer,
  answerOf,
  askAgain,
  LatestQuery,
  type Request,
  requestFor,
} from '../../web/state/answers';
import { provideEngine } from '../../web/state/engine';
import { forgetAnswers } from '../../web/state/keptAnswers';
import { openRuns, retitle } from '../../web/state/runs';
import { answered } from '../../web/state/useAnswer';
import { openRun } from '../support/openRun';

/** An engine whose answers come when the test says so. */
class SlowEngine implements Partial<Engine> {
  readonly asked: { question: string; answer: () => void; refuse: () => void }[] = [];

  ask(question: string, _options?: AskOptions): Promise<Table> {
    return new Promise((resolve, reject) => {
      const table = new Table({ question, rows: 0, columns: [], strings: [], notes: {} });
      this.asked.push({
        question,
        answer: () => resolve(table),
        refuse: () => reject(new CoreError(`no ${question}`)),
      });
    });
  }
}

/** A place that is drawn with what it wants, and after that asks for it. */
class Query extends LatestQuery {
  readonly #draw: (answer: Answer) => void;

  constructor(draw: (answer: Answer) => void, place?: { isInSight: boolean }) {
    super(draw, place);
    this.#draw = draw;
  }

  want(wanted: Request): void {
    this.#draw(this.expect(wanted));
    void this.ask();
  }
}

const request = (question: string, run = 0): Request => ({
  key: `${run} ${question}`,
  runs: [run],
  question: question as QuestionName,
  selection: {},
  options: {},
});
/** As many as have a turn at once. */
const four = ['a', 'b', 'also', 'too'];
const settled = () => new Promise((resolve) => setTimeout(resolve));

let engine: SlowEngine;
let shown: Answer[];
let query: Query;
const last = () => shown.at(-1);

beforeEach(() => {
  forgetAnswers(0);
  forgetAnswers(1);
  engine = new SlowEngine();
  provideEngine(engine as unknown as Engine);
  shown = [];
  query = new Query((answer) => shown.push(answer));
});

describe('asking', () => {
  it('has one question under way; of those that come meanwhile only the newest is asked', async () => {
    query.want(request('a'));
    await settled();
    for (const question of ['b', 'c', 'd']) query.want(request(question));
    await settled();
    expect(engine.asked.map((entry) => entry.question)).toEqual(['a']);
    engine.asked[0]?.answer();
    await settled();
    expect(engine.asked.map((entry) => entry.question)).toEqual(['a', 'd']);
    engine.asked[1]?.answer();
    await settled();
    expect(last()).toMatchObject({ pending: false, table: { question: 'd' } });
  });

  it('keeps the old picture until the new one is there', async () => {
    query.want(request('a'));
    await settled();
    engine.asked[0]?.answer();
    await settled();
    query.want(request('b'));
    expect(last()).toMatchObject({ pending: true, table: { question: 'a' } });
  });

  it('is not led away by an answer that comes once it is back at what it knows', async () => {
    query.want(request('a'));
    await settled();
    engine.asked[0]?.answer();
    await settled();
    query.want(request('b'));
    query.want(request('a'));
    await settled();
    engine.asked[1]?.answer();
    await settled();
    expect(last()).toMatchObject({ pending: false, table: { question: 'a' } });
  });

  it('does not show one run under the name of another', async () => {
    query.want(request('a', 0));
    await settled();
    engine.asked[0]?.answer();
    await settled();
    query.want(request('a', 1));
    expect(last()).toEqual({ pending: true });
  });

  it('drops an answer about a run that is no longer shown', async () => {
    query.want(request('a', 0));
    await settled();
    query.want(request('a', 1));
    engine.asked[0]?.answer();
    await settled();
    expect(shown.every((answer) => answer.table === undefined)).toBe(true);
    engine.asked[1]?.answer();
    await settled();
    expect(last()).toMatchObject({ pending: false, table: { question: 'a' } });
  });

  it('answers again at once what it has answered before', async () => {
    query.want(request('a'));
    await settled();
    engine.asked[0]?.answer();
    await settled();
    const second = new Query((answer) => shown.push(answer));
    second.want(request('a'));
    expect(last()).toMatchObject({ pending: false, table: { question: 'a' } });
    expect(engine.asked.length).toBe(1);
  });

  it('has those of the whole run still, after hundreds that a brush asked for', async () => {
    query.want(request('a'));
    await settled();
    engine.asked[0]?.answer();
    await settled();
    for (let step = 1; step <= 200; step += 1) {
      const time: [number, number] = [0, step];
      query.want({ ...request(`brushed ${step}`), selection: { time } });
      engine.asked.at(-1)?.answer();
      await settled();
    }
    new Query((answer) => shown.push(answer)).want(request('a'));
    expect(last()).toMatchObject({ pending: false, table: { question: 'a' } });
    expect(engine.asked.length).toBe(201);
  });

  it('asks what is in sight before what was wanted earlier, out of sight', async () => {
    const place = { isInSight: false };
    const want = (question: string, isInSight: boolean | undefined) =>
      new Query(() => undefined, isInSight === undefined ? place : { isInSight }).want(
        request(question),
      );
    for (const question of ['a', 'b']) want(question, true);
    want('below', false);
    want('scrolled to', undefined);
    want('seen', true);
    place.isInSight = true;
    for (let next = 0; next < 5; next += 1) {
      engine.asked[next]?.answer();
      await settled();
    }
    expect(engine.asked.map((entry) => entry.question)).toEqual([
      'a',
      'b',
      'scrolled to',
      'seen',
      'below',
    ]);
  });

  it('asks what takes long after the rest that is wanted with it', async () => {
    for (const question of ['why', 'a', 'summary', 'b'])
      new Query(() => undefined).want(request(question));
    for (let next = 0; next < 4; next += 1) {
      await settled();
      engine.asked[next]?.answer();
    }
    expect(engine.asked.map((entry) => entry.question)).toEqual(['a', 'b', 'why', 'summary']);
  });

  it('says why the core refused, unless something else is wanted by then', async () => {
    query.want(request('a'));
    await settled();
    engine.asked[0]?.refuse();
    await settled();
    expect(last()).toEqual({ error: 'no a', pending: false });
    query.want(request('b'));
    await settled();
    query.want(request('c'));
    engine.asked[1]?.refuse();
    await settled();
    engine.asked[2]?.answer();
    await settled();
    expect(last()).toMatchObject({ pending: false, table: { question: 'c' } });
    expect(last()?.error).toBeUndefined();
  });

  it('shows nothing after it was closed', async () => {
    query.want(request('a'));
    query.close();
    const before = shown.length;
    engine.asked[0]?.answer();
    await settled();
    expect(shown.length).toBe(before);
  });

  it('computes four at once, and of what waits for its turn only what is wanted by then', async () => {
    for (const question of four) new Query(() => undefined).want(request(question));
    await settled();
    for (const question of ['c', 'd', 'e']) query.want(request(question));
    await settled();
    expect(engine.asked.map(({ question }) => question)).toEqual(four);
    engine.asked[1]?.answer();
    await settled();
    expect(engine.asked.map(({ question }) => question)).toEqual([...four, 'e']);
  });

  it('asks nothing for a place that is left while it waits', async () => {
    for (const question of four) new Query(() => undefined).want(request(question));
    query.want(request('c'));
    query.close();
    engine.asked[0]?.answer();
    await settled();
    expect(engine.asked).toHaveLength(4);
  });

  it('waits for what was asked ahead without a turn of its own', async () => {
    for (const question of four) new Query(() => undefined).want(request(question));
    await settled();
    void answerOf(0, 'chunks');
    query.want(requestFor([0], 'chunks', {}, {}));
    await settled();
    engine.asked[4]?.answer();
    await settled();
    expect(engine.asked).toHaveLength(5);
    expect(last()?.table?.question).toBe('chunks');
  });

  it('shows what another place was answered meanwhile', async () => {
    for (const question of four) new Query(() => undefined).want(request(question));
    query.want(request('a'));
    await settled();
    engine.asked[0]?.answer();
    await settled();
    expect(engine.asked).toHaveLength(4);
    expect(last()?.table?.question).toBe('a');
  });
});

describe('what is on screen', () => {
  it('is asked for again when its run is called otherwise: the old title may be in it', async () => {
    openRuns.value = [openRun(0, { title: 'run' }), openRun(1, { title: 'other' })];
    const leave = effect(() => query.want(requestFor([0], 'summary', {}, {})));
    await settled();
    engine.asked[0]?.answer();
    await settled();
    retitle(new Map([[1, 'old/other']]));
    await settled();
    expect(engine.asked).toHaveLength(1);
    retitle(new Map([[0, 'old/run']]));
    expect(last()).toMatchObject({ pending: true, table: { question: 'summary' } });
    await settled();
    expect(engine.asked).toHaveLength(2);
    engine.asked[1]?.answer();
    await settled();
    expect(last()).toMatchObject({ pending: false });
    leave();
  });
});

describe('a run that grows', () => {
  const key = (question: QuestionName) => requestFor([0], question, {}, {}).key;

  it('has its progress asked for again without all else', () => {
    const [progress, findings] = [key('progress'), key('findings')];
    askAgain([0], ['progress']);
    expect(key('findings')).toBe(findings);
    expect(key('progress')).not.toBe(progress);
    askAgain([0], ['rest']);
    expect(key('findings')).not.toBe(findings);
  });

  it('has answered once nothing is under way', async () => {
    let isOver = false;
    for (const question of ['a', 'b', 'c']) new Query(() => undefined).want(request(question));
    const over = answered().then(() => {
      isOver = true;
    });
    for (let one = 0; one < 3; one += 1) {
      await settled();
      expect(isOver).toBe(false);
      engine.asked[one]?.answer();
    }
    await over;
    // and at once where nothing was
    await answered();
  });
});

describe('kept answers', () => {
  const large = (question: string) => {
    const numbers = new Float64Array(6e6);
    const column = { name: 'x', type: 'number', unit: '', formula: '', width: 1, numbers } as const;
    return new Table({ question, rows: 6e6, columns: [column], strings: [], notes: {} });
  };

  it('give way to newer ones when they are large: the latest always stays', async () => {
    const asked: string[] = [];
    const ask = async (question: string) => {
      asked.push(question);
      return large(question);
    };
    provideEngine({ ask } as unknown as Engine);
    // 48 MB each
    for (const question of ['tasks', 'flame', 'chunks', 'flame', 'chunks', 'tasks'] as const)
      await answerOf(0, question);
    expect(asked).toEqual(['tasks', 'flame', 'chunks', 'tasks']);
  });
});
