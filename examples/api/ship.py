"""Ships an order with Consign's HTTP API: quotes it, starts it, follows it, and answers its questions.

Needs only Python's standard library. Run `npm run dev`, then:

    python3 examples/api/ship.py examples/ltl-tiles.json
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request

API = os.environ.get("CONSIGN_API_URL", "http://127.0.0.1:4030")
TOKEN = os.environ.get("CONSIGN_API_TOKEN", "demo-api-token")


def open_request(method, path, body=None, headers=None, timeout=90):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(API + path, data=data, method=method)
    request.add_header("Authorization", "Bearer " + TOKEN)
    if data is not None:
        request.add_header("Content-Type", "application/json")
    for name, value in (headers or {}).items():
        request.add_header(name, value)
    return urllib.request.urlopen(request, timeout=timeout)


def call(method, path, body=None, headers=None):
    """Repeats a request that was not confirmed: every request is safe to repeat."""
    for tries in range(1, 6):
        try:
            with open_request(method, path, body, headers) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            problem = json.load(error)
            if error.code != 503 or tries == 5:
                sys.exit(describe(problem))
            time.sleep(int(error.headers.get("Retry-After", "5")))
        except (urllib.error.URLError, TimeoutError) as error:
            if tries == 5:
                sys.exit("no answer: %s" % error)
            time.sleep(5)
    raise AssertionError("the loop ends by itself")


def describe(problem):
    lines = ["%s: %s" % (problem["code"], problem["detail"])]
    for error in problem.get("errors", []):
        lines.append("  %(path)s: %(problem)s; %(remedy)s" % error)
    return "\n".join(lines)


def events(path):
    """The server-sent events of a shipment; connects again where it stopped."""
    last_id = None
    while True:
        headers = {} if last_id is None else {"Last-Event-ID": last_id}
        try:
            with open_request("GET", path, headers=headers) as stream:
                if stream.status == 204:
                    return
                event = {}
                for raw in stream:
                    name, _, value = raw.decode().rstrip("\n").partition(": ")
                    if name in ("event", "data", "id"):
                        event[name] = value
                    elif name == "" and value == "":
                        last_id = event.get("id", last_id)
                        if "event" in event:
                            yield event["event"], json.loads(event["data"])
                        event = {}
        except urllib.error.HTTPError as error:
            problem = json.load(error)
            if error.code not in (429, 503):
                sys.exit(describe(problem))
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            pass
        time.sleep(2)


def price_of(quote):
    if quote["kind"] == "furniture":
        return quote["fixedPrice"]["price"]
    chosen = quote["decision"]["chosen"]
    return None if chosen is None else chosen["totalPrice"]


def main(file):
    with open(file, encoding="utf-8") as text:
        order = json.load(text)
    path = "/shipments/%(account)s/%(orderId)s" % order
    price = price_of(call("POST", "/quotes", {"order": order, "maximumWaitSeconds": 30}))
    if price is None:
        sys.exit("no rate would be accepted")
    print("quoted %.2f %s" % (price["minorUnits"] / 100, price["currency"]))
    print(call("PUT", path, order)["outcome"])

    answered = set()
    shown = None
    for event, shipment in events(path + "/events"):
        if event == "end":
            break
        if event == "problem":
            print(describe(shipment))
            continue
        state = shipment["state"]
        if state is None:
            continue
        if state["at"]["phase"] != shown:
            shown = state["at"]["phase"]
            print(shown)
        question = state["question"]
        if question is None or question["id"] in answered:
            continue
        answered.add(question["id"])
        # A person would decide here. This program approves every price, and stops at any other question.
        if "approve" not in question["answers"]:
            sys.exit("%(kind)s: %(text)s" % question)
        answer = {"kind": "approve", "questionId": question["id"], "reason": "within our budget"}
        print("%s: %s" % (question["kind"], call("POST", path + "/answer", answer)["outcome"]))

    shipment = call("GET", path)
    print(shipment["status"])
    for document in call("GET", path + "/documents")["stored"]:
        with open_request("GET", path + "/documents/" + document["sha256"]) as content:
            print("%s, %d bytes" % (document["kind"], len(content.read())))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: ship.py ORDER.json")
    main(sys.argv[1])
