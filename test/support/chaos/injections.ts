/** The faults of a round. Each begins, lasts a while and ends; the order and the lengths come from the seed. */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChaosService } from "../chaos.ts";
import { descendants } from "../descendants.ts";
import type { Chance } from "../oracle/random.ts";
import type { SmallDisk } from "../small-disk.ts";
import type { Model, Receiver } from "./outside.ts";

export interface World {
  service: ChaosService;
  /** Absent where no disk can be mounted: the stores' calls fail instead. */
  disk: SmallDisk | undefined;
  model: Model;
  receiver: Receiver;
}

type Injection = (world: World, chance: Chance) => Promise<string>;

/** More connections than the service has file handles. */
const HELD_CONNECTIONS = 200;

const between = (chance: Chance, least: number, most: number): number => least + chance.below(most - least);

/** Milliseconds of a fault. */
const lasting = (chance: Chance): number => between(chance, 800, 3_500);

async function killWorkers({ service }: World, chance: Chance): Promise<string> {
  let killed = 0;
  for (let salvo = between(chance, 2, 6); salvo > 0; salvo -= 1) {
    for (const pid of service.pid === undefined ? [] : descendants(service.pid)) {
      try {
        process.kill(pid, "SIGKILL");
        killed += 1;
      } catch {
        // It ended meanwhile.
      }
    }
    await sleep(between(chance, 50, 500));
  }
  return `${killed} document processes killed`;
}

async function fillDisk({ service, disk }: World, chance: Chance): Promise<string> {
  const milliseconds = lasting(chance);
  // A few free bytes: some writes still fit.
  if (disk === undefined) await service.tell("fault ENOSPC");
  else disk.fill(chance.below(3) * 20_000);
  await sleep(milliseconds);
  if (disk === undefined) await service.tell("fault");
  else disk.clear();
  return `disk full for ${milliseconds} ms`;
}

async function takeHandles({ service }: World, chance: Chance): Promise<string> {
  const milliseconds = lasting(chance);
  const port = Number(new URL(service.url).port);
  const sockets: Socket[] = [];
  const end = performance.now() + milliseconds;
  // The service closes some; they come again.
  while (performance.now() < end) {
    while (sockets.filter((socket) => !socket.destroyed).length < HELD_CONNECTIONS) {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => undefined);
      sockets.push(socket);
    }
    await sleep(100);
  }
  for (const socket of sockets) socket.destroy();
  return `no file handle for ${milliseconds} ms`;
}

async function jumpClock({ service }: World, chance: Chance): Promise<string> {
  const hours = chance.of([-26, -2, 2, 26]);
  await service.tell(`clock ${hours * 3_600_000}`);
  await sleep(lasting(chance));
  if (chance.is(0.5)) await service.tell("clock 0");
  return `clock jumped by ${hours} h`;
}

async function killService({ service }: World, chance: Chance): Promise<string> {
  const kills = between(chance, 1, 4);
  for (let kill = 0; kill < kills; kill += 1) {
    await service.kill();
    // The clients start it again; the next kill may hit its start.
    await sleep(between(chance, 200, 2_500));
  }
  return `service killed ${kills} times`;
}

async function spoilModel({ model }: World, chance: Chance): Promise<string> {
  model.mood = chance.of(["slow", "failing"]);
  const { mood } = model;
  const milliseconds = lasting(chance);
  await sleep(milliseconds);
  model.mood = "well";
  return `model ${mood} for ${milliseconds} ms`;
}

async function spoilReceiver({ receiver }: World, chance: Chance): Promise<string> {
  receiver.mood = chance.of(["slow", "failing"]);
  const { mood } = receiver;
  const milliseconds = lasting(chance);
  await sleep(milliseconds);
  receiver.mood = "well";
  return `receiver ${mood} for ${milliseconds} ms`;
}

const INJECTIONS: readonly Injection[] = [
  killService,
  killWorkers,
  fillDisk,
  takeHandles,
  jumpClock,
  spoilModel,
  spoilReceiver,
];

/** Jobs that end between two faults, so that each fault meets a service at work. */
const JOBS_BETWEEN = 4;
/** Most milliseconds to wait for them. */
const MAX_CALM_MS = 10_000;

/**
 * Injects every fault once, in the seed's order, some of them two at a time.
 * @param ended the number of jobs that have ended @param note called for each fault
 */
export async function inject(
  world: World,
  chance: Chance,
  ended: () => number,
  note: (text: string) => void,
): Promise<void> {
  const order = chance.shuffle(INJECTIONS);
  while (order.length > 0) {
    const [enough, calmEnd] = [ended() + JOBS_BETWEEN, performance.now() + MAX_CALM_MS];
    while (ended() < enough && performance.now() < calmEnd) await sleep(50);
    await sleep(between(chance, 0, 500));
    const some = order.splice(0, chance.is(0.3) ? 2 : 1);
    for (const text of await Promise.all(some.map((injection) => injection(world, chance)))) note(text);
  }
}
