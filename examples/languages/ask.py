import os
import socket

import requests

answer = requests.get(os.environ["ELECTOR_GET_URL"], timeout=2)
leads = answer.json()["name"] == os.environ.get("HOSTNAME", socket.gethostname())
print("I lead" if leads else "another leads")
