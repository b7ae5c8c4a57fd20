"""Unpacks the strict schemas of one version of Kubernetes from the wheel of kubernetes-validate.

They refer to each other by addresses of a web site; here, by the names of the files.
"""

import pathlib
import sys
import zipfile

wheel, version, folder = sys.argv[1:]
prefix = f"kubernetes_validate/kubernetes-json-schema/v{version}-local-strict/"
with zipfile.ZipFile(wheel) as archive:
    for name in archive.namelist():
        if not name.startswith(prefix):
            continue
        text = archive.read(name).decode()
        text = text.replace('"/api/_definitions.json#', '"_definitions.json#')
        text = text.replace('"$id": "https://kubernetes.io/', '"$comment": "')
        (pathlib.Path(folder) / name.removeprefix(prefix)).write_text(text)
