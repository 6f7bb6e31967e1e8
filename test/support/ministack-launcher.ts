/**
 * Starts the MiniStack emulator, and fixes differences from AWS that the service or its tests would meet. In Python,
 * over functions of the pinned release.
 */

export interface Fix {
  what: string;
  aws: string;
  emulator: string;
  /** Python that tells whether the released emulator still needs the fix. */
  needed: string;
}

/** The fixes of differences from AWS; speed-ups are not among them. */
export const FIXES: Readonly<Record<string, Fix>> = {
  "error names": {
    what: "an error that a Node function throws",
    aws: "has its name, which Retry and Catch match",
    emulator: "is called Runtime.HandlerError",
    needed: '"error: String(err.message || err), trace" in runtime._NODEJS_WORKER_SCRIPT',
  },
  "references of secrets": {
    what: "a template's Ref of a secret",
    aws: "is its ARN, which grants name",
    emulator: "is its name",
    needed: '"return name, {" in source(provisioners._RESOURCE_HANDLERS["AWS::SecretsManager::Secret"]["create"])',
  },
  health: {
    what: "/health of any host",
    aws: "is the host's",
    emulator: "is the emulator's own",
    needed: '"/health" in app._HEALTH_PATHS',
  },
  "answers to Tasks": {
    what: "SendTaskSuccess, -Failure and -Heartbeat",
    aws: "are authorized on the machine that the token is of",
    emulator: "are authorized on *",
    needed: 'arn_of("SendTaskSuccess") == "*"',
  },
  "concurrency of Maps": {
    what: "a Map's MaxConcurrencyPath",
    aws: "bounds its iterations",
    emulator: "is passed over",
    needed: '"MaxConcurrencyPath" not in source(stepfunctions._run_map_items)',
  },
};

/** Logs for each fix, before it is made, whether it is still needed. */
const FIX_CHECK = `
from inspect import getsource as source
from ministack import app
from ministack.core import iam_actions, lambda_runtime as runtime
from ministack.services import stepfunctions
from ministack.services.cloudformation import provisioners
def arn_of(action):
    headers = {"x-amz-target": "AWSStepFunctions." + action}
    return iam_actions.extract_resource_arn("states", "POST", "/", headers, b'{"taskToken":"t"}', {}, "us-east-1", "0" * 12)
${Object.entries(FIXES)
  .map(
    ([name, { needed }]) =>
      `print("MEND", "needed" if ${needed} else "not needed", ${JSON.stringify(name)}, flush=True)`,
  )
  .join("\n")}
`;

/**
 * The error of a Node function arrives as Runtime.HandlerError there, so that no Retry or Catch by name would match.
 * The script that runs the function also reports the error's name, which becomes the result's errorType.
 */
const ERROR_NAMES_FIX = `
from ministack.core import lambda_runtime as runtime
from ministack.services import lambda_svc
said = threading.local()
before = 'error: String(err.message || err), trace'
assert runtime._NODEJS_WORKER_SCRIPT.count(before) == 1
runtime._NODEJS_WORKER_SCRIPT = runtime._NODEJS_WORKER_SCRIPT.replace(before, 'name: String(err.name), ' + before)
invoke, execute = runtime.Worker.invoke, lambda_svc._execute_function_warm
def invoke_and_keep_name(*args, **named):
    response = invoke(*args, **named)
    said.name = response.get("name")
    return response
def execute_and_name(function, *args):
    said.name = None
    result = execute(function, *args)
    if result.get("error"):
        if said.name and result["body"].get("errorType") == "Runtime.HandlerError":
            result["body"]["errorType"] = said.name
        name = (function.get("config") or function).get("FunctionName")
        print("FAILED", name, result["body"].get("errorType"), result["body"].get("errorMessage"), flush=True)
    return result
runtime.Worker.invoke = invoke_and_keep_name
lambda_svc._execute_function_warm = execute_and_name
`;

/** A proxy that answers for a function from outside (MINISTACK_LAMBDA_PROXY_URL) can report a failure and its name. */
const PROXY_FIX = `
forward = lambda_svc._execute_function_proxy
def forward_and_fail(*args):
    result = forward(*args)
    answer = result.get("body")
    failed = answer.get("FunctionError") if isinstance(answer, dict) else None
    return {"body": failed, "error": True} if failed else result
lambda_svc._execute_function_proxy = forward_and_fail
`;

/**
 * A template's Ref of a secret is its name there, not its ARN, so that no grant would cover it; every host's /health is
 * the emulator's own; and with TLS it also takes port 443 of this machine if it may.
 */
const REFERENCES_FIX = `
from ministack import app
from ministack.services.cloudformation import provisioners
secret = provisioners._RESOURCE_HANDLERS["AWS::SecretsManager::Secret"]
create = secret["create"]
def create_and_give_arn(*args):
    _, attributes = create(*args)
    return attributes["Arn"], attributes
secret["create"] = create_and_give_arn
app._HEALTH_PATHS = ("/_ministack/health",)
app._port_is_bindable = lambda *address: False
`;

/** Logs each refusal for a missing right, to explain a failed test. */
const DENIAL_LOG = `
from ministack.core import iam_evaluator
enforce = iam_evaluator.enforce
def enforce_and_say(access_key, action, service, region, resource_arn="*", **named):
    denied = enforce(access_key, action, service, region, resource_arn=resource_arn, **named)
    if denied:
        print("DENIED", action, resource_arn, flush=True)
    return denied
iam_evaluator.enforce = enforce_and_say
`;

/** It authorizes answers to a Task's token on "*", AWS on the token's machine. */
const TASK_TOKENS_FIX = `
import json
from ministack.core import iam_actions
from ministack.services import stepfunctions
running, machines = threading.local(), {}
execute_task, wait_for_answer = stepfunctions._execute_task, stepfunctions._invoke_with_callback
resource_of = iam_actions.extract_resource_arn
def execute_task_of_machine(state, given, execution, context):
    running.machine = context.get("StateMachine", {}).get("Id")
    return execute_task(state, given, execution, context)
def note_token_and_wait(resource, given, token, state):
    machines[token] = running.machine
    return wait_for_answer(resource, given, token, state)
def resource_or_machine(service, method, path, headers, body, *rest):
    arn = resource_of(service, method, path, headers, body, *rest)
    if service != "states" or arn != "*":
        return arn
    return machines.get(json.loads(body or b"{}").get("taskToken"), arn)
stepfunctions._execute_task = execute_task_of_machine
stepfunctions._invoke_with_callback = note_token_and_wait
iam_actions.extract_resource_arn = resource_or_machine
`;

/** It ignores a Map's MaxConcurrencyPath, and runs all documents of a batch at once. */
const MAP_CONCURRENCY_FIX = `
execute_map = stepfunctions._execute_map
def execute_map_in_bounds(state, given, execution, context):
    path = state.get("MaxConcurrencyPath")
    if path:
        effective = stepfunctions._apply_input_path(state, given, context)
        state = {**state, "MaxConcurrency": stepfunctions._resolve_path_or_ctx(path, effective, context)}
    return execute_map(state, given, execution, context)
stepfunctions._execute_map = execute_map_in_bounds
`;

/** Each process of a function unpacks the function's code of some 25 MB; here all processes share the first copy. */
const SHARED_CODE_SPEED_UP = `
import hashlib, tempfile, types, zipfile
unpacked, unpacking = {}, threading.Lock()
class SharedCode(zipfile.ZipFile):
    def extractall(self, folder):
        with open(self.filename, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        with unpacking:
            if digest not in unpacked:
                shared = tempfile.mkdtemp(prefix="code-")
                super().extractall(shared)
                unpacked[digest] = shared
        os.rmdir(folder)
        os.symlink(unpacked[digest], folder)
runtime.zipfile = types.SimpleNamespace(ZipFile=SharedCode)
`;

/** After each invocation it waits up to 50 ms for log lines of the function, which also arrive with the next ones. */
const LOG_WAIT_SPEED_UP = `
runtime.Worker._drain_stderr_bounded = runtime.Worker._drain_stderr
`;

/** Ends the emulator with all its processes when its standard input closes, which happens however the test run ends. */
export const LAUNCHER = `
import os, signal, sys, threading
def follow():
    sys.stdin.buffer.read()
    os.killpg(0, signal.SIGKILL)
threading.Thread(target=follow, daemon=True).start()
${FIX_CHECK}${ERROR_NAMES_FIX}${PROXY_FIX}${REFERENCES_FIX}${DENIAL_LOG}${TASK_TOKENS_FIX}${MAP_CONCURRENCY_FIX}${SHARED_CODE_SPEED_UP}${LOG_WAIT_SPEED_UP}
from ministack.app import main
sys.argv = ["ministack"]
main()
`;
