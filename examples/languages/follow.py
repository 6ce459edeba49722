import json
import os

import sseclient

for event in sseclient.SSEClient(os.environ["ELECTOR_SSE_URL"]):
    print(json.loads(event.data)["name"] or "nobody", flush=True)
