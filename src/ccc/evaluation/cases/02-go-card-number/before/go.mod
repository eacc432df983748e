module example.cn/pay

go 1.21
