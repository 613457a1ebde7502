flat in vec4 v_mark;
out vec4 out_mark;

void main() { out_mark = v_mark; }
