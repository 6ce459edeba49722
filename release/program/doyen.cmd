@echo off
rem Starts the program doyen with the Java of JAVA_HOME or PATH, which must be Java 17 or newer.
setlocal
set "home=%~dp0.."
set "java=java"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java"
"%java%" "@%home%\jvm.args" %DOYEN_JAVA_OPTIONS% -cp "%home%\doyen.jar" dev.doyen.cli.Doyen %*
