import Glibc

exit(Martlet.run(CommandLine.arguments))
