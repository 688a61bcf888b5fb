#!/usr/bin/env python3
"""Holds what `poise verify --certificate` writes and `--check --format json` prints to their schemas.

    validate_certificate.py PROGRAM ROOT

Safe models, in every mode, and certificates that were changed. Beyond the schemas: the hash is that of the text, the
same model gives the same bytes, and the schemas would notice a change. Exit status 77 (skipped) without the jsonschema
package.
"""

import copy
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is missing")
    sys.exit(77)

from validate import expect, failures

EXAMPLES = ["thermostat-noise", "robot-cars/07-backtracker"]
GOLDEN = ["safe", "many_cases", "does_not_fit", "kinds_of_values", "priorities"]


def validator_of(root, name):
    schema = json.loads((root / "docs" / name).read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def broken(whole, edits):
    for what, edit in edits.items():
        changed = copy.deepcopy(whole)
        edit(changed)
        yield what, changed


BROKEN_CERTIFICATES = {
    "extra key": lambda c: c.update(extra=1),
    "no text": lambda c: c.pop("text"),
    "another claim": lambda c: c.update(claim="no failure"),
    "another mode": lambda c: c.update(mode="as-printed"),
    "no hash": lambda c: c.update(sha256="1234"),
    "no failures": lambda c: c.update(failures=[]),
    "a state without a condition": lambda c: c["invariants"][0].pop("holds"),
    "an empty condition": lambda c: c["invariants"][0].update(holds=""),
}
BROKEN_CONFIRMATIONS = {
    "extra key": lambda c: c.update(extra=1),
    "another verdict": lambda c: c.update(verdict="fine"),
    "confirmed, but open": lambda c: c.update(verdict="confirmed"),
    "not confirmed, and nothing open": lambda c: c.update(open=None),
    "another condition": lambda c: c["open"].update(condition="end"),
    "no state": lambda c: c["open"].pop("state"),
}


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    of_certificate = validator_of(root, "certificate-schema.json")
    of_confirmation = validator_of(root, "confirmation-schema.json")
    verdicts, modes = set(), set()

    def run(*words):
        return subprocess.run([program, "verify", *map(str, words)], capture_output=True, text=True, check=False)

    def valid(validator, value, label):
        for error in validator.iter_errors(value):
            failures.append(f"{label}: {list(error.absolute_path)}: {error.message[:300]}")

    def confirmed(file, label, *more):
        report = json.loads(run("--check", file, "--format", "json", *more).stdout)
        valid(of_confirmation, report, label)
        verdicts.add(report["verdict"])
        return report

    models = [root / "examples" / f"{name}.poise" for name in EXAMPLES]
    models += [root / "tests" / "golden" / "verify" / f"{name}.poise" for name in GOLDEN]
    with tempfile.TemporaryDirectory() as folder:
        file, again = pathlib.Path(folder) / "one.json", pathlib.Path(folder) / "two.json"
        for model in models:
            for mode in ("naive", "ideal", "actual"):
                label = f"{model.name} {mode}"
                file.unlink(missing_ok=True)
                done = run(model, "--mode", mode, "--certificate", file, "--no-odds", "--time-limit", "60s")
                expect(file.exists() == (done.returncode == 0), f"{label}: a file without a proof, or the other way")
                if not file.exists():
                    continue
                run(model, "--mode", mode, "--certificate", again, "--no-odds", "--time-limit", "60s")
                expect(file.read_bytes() == again.read_bytes(), f"{label}: other bytes")
                certificate = json.loads(file.read_text(encoding="utf-8"))
                valid(of_certificate, certificate, label)
                modes.add(certificate["mode"])
                expect(certificate["text"] == model.read_text(encoding="utf-8"), f"{label}: another text")
                digest = hashlib.sha256(model.read_bytes()).hexdigest()
                expect(certificate["sha256"] == digest, f"{label}: another hash")
                report = confirmed(file, label)
                expect(report["verdict"] == "confirmed", f"{label}: {report['reason']}")
                certificate["invariants"][0]["holds"] = None
                again.write_text(json.dumps(certificate), encoding="utf-8")
                wrong = confirmed(again, label)
                expect(wrong["verdict"] == "not confirmed", f"{label}: a tampered certificate is confirmed")
                confirmed(again, label, "--time-limit", "0s")
    for what, changed in broken(certificate, BROKEN_CERTIFICATES):
        expect(not of_certificate.is_valid(changed), f"the schema lets pass a certificate with {what}")
    for what, changed in broken(wrong, BROKEN_CONFIRMATIONS):
        expect(not of_confirmation.is_valid(changed), f"the schema lets pass a confirmation with {what}")
    expect(verdicts == {"confirmed", "not confirmed", "unknown"}, f"verdicts: {verdicts}")
    expect(modes == {"naive", "ideal", "actual"}, f"modes: {modes}")
    for failure in failures:
        print(failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
