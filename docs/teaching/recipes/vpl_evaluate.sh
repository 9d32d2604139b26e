#!/bin/sh
# VPL runs this script and then the program vpl_execution that it writes.
# That prints each reason as a comment and then the grade, in VPL's format.
cat > vpl_execution <<'END'
#!/bin/sh
python3 -m utf8_abnf grade utf8.abnf --feedback hint --timeout 5 --language en > told.txt 2>&1
sed 's/^/Comment :=>> /' told.txt
echo "Grade :=>> $(awk 'NR == 1 { print $1 + 0 }' told.txt)"
END
chmod +x vpl_execution
