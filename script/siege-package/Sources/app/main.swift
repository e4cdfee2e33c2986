import Siege

print("app", honest, isRight())
