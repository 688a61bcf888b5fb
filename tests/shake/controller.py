#!/usr/bin/env python3
"""A thermostat as a program that reads contexts and writes variants, right or wrong in some way.

    controller.py [right|hasty|slow|crash|exit|killed|parent|rubbish|other|silent|close|deaf|chatty]
"""

import json
import os
import signal
import subprocess
import sys
import time

KIND = sys.argv[1] if len(sys.argv) > 1 else "right"


def main():
    heater = False
    ticks = 0
    for line in sys.stdin:
        context = json.loads(line)
        if context.get("reset"):
            heater = False
            ticks = 0
            print(json.dumps({"heater": heater}), flush=True)
            continue
        ticks += 1
        temperature = context["temperature"]
        if temperature is not None:
            if temperature < 18:
                heater = True
            elif temperature > (18 if KIND == "hasty" else 22):
                heater = False
        cold = temperature is not None and temperature < 16
        if cold and ticks > 2:
            if KIND == "slow":
                time.sleep(30)
            if KIND == "crash":
                raise RuntimeError("out of heat")
            if KIND == "exit":
                sys.exit(7)
            if KIND == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            if KIND == "parent":
                subprocess.Popen([sys.executable, "-c", "import time; time.sleep(30)", "controller.py", *sys.argv[2:]])
                sys.exit(7)
            if KIND == "rubbish":
                print("heater on!", flush=True)
                continue
            if KIND == "other":
                print(json.dumps({"heater": "warm"}), flush=True)
                continue
            if KIND == "silent":
                continue
            if KIND == "close":
                os.close(1)
                time.sleep(30)
            if KIND == "chatty":
                sys.stdout.write("x" * 3_000_000)
                sys.stdout.flush()
        if KIND == "deaf":
            os.close(0)
        print(json.dumps({"heater": heater}), flush=True)
        if KIND == "deaf":
            time.sleep(30)


main()
