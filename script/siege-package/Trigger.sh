#!/bin/sh
exec python3 payloads.py trigger
